-- How many bytes each client of a fio result works on: the size of every job, a file that jobs name together
-- once. NULL: a size is not printed, or is a share of the file. What other clients read of it is not known.
-- run_id | - | run
-- group_id | - | jobs of one group run together
-- client | - | hostname:port, or local
-- path | - | file
-- line | - | line of the client's first job
-- is_direct | - | all jobs go past the page cache; NULL: not printed
-- working_set_bytes | B | files of all jobs of the client
with sized as (
    select *, json_extract_string(options, '$.filename') as filename,
        case when not is_mixed_group then coalesce(size_bytes, fio_size(json_extract_string(options, '$.filesize'), kb_base)
            * coalesce(try_cast(json_extract_string(options, '$.nrfiles') as integer), 1)) end as file_set_bytes
    from fio_job
), filed as (
    select run_id, group_id, client, min(path) as path, min(line) as line, bool_and(is_direct) as is_direct,
        case when count(file_set_bytes) < count(*) then null when filename is not null then max(file_set_bytes)
            when count(jobs) = count(*) then sum(file_set_bytes * jobs) end as file_set_bytes
    from sized
    group by run_id, group_id, client, filename
)
select run_id, group_id, client, min(path) as path, min(line) as line, bool_and(is_direct) as is_direct,
    case when count(file_set_bytes) = count(*) then sum(file_set_bytes) end as working_set_bytes
from filed
group by run_id, group_id, client
