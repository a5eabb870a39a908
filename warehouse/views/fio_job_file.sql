-- The job file behind each group of a fio run: its options less what may vary within a series (clients,
-- jobs, depth, block size, names, files and how results are reported).
-- stored
-- run_id | - | run
-- group_id | - | group
-- series | - | pattern and fingerprint of the fixed options
-- fixed_options | - | the fixed options in words; those of each job where they differ
-- is_same_for_all | - | all jobs of the group have the same fixed options
with option as (
    select run_id, entry, group_id, rw, written.key as name, json_extract_string(written.value, '$') as said
    from (
        select j.*, unnest(map_entries(cast(j.options as map(varchar, json)))) as written
        from fio_job j
        join fio_run r on r.run_id = j.run_id
        -- normal text and terse lines print no job file, at most pattern, block size, engine and depth
        where j.options is not null and not j.is_mixed_group and r.form = 'json'
    )
), fixed as (
    select run_id, entry, group_id, any_value(rw) as rw,
        string_agg(name || '=' || coalesce(said, ''), ' ' order by name)
            filter (name not in ('rw', 'readwrite', 'bs', 'blocksize', 'bsrange', 'bssplit', 'iodepth', 'numjobs',
                'name', 'description', 'filename', 'directory', 'hostname', 'port', 'group_reporting', 'new_group', 'stonewall',
                'wait_for_previous', 'thread', 'filename_format', 'output', 'output-format', 'status-interval')
            and name not like 'write\_%log' escape '\' and name not like 'log\_%' escape '\'
            and name not in ('per_job_logs', 'disk_util', 'percentile_list')) as words
    from option
    group by run_id, entry, group_id
)
select run_id, group_id,
    string_agg(distinct rw, '+' order by rw) || '-'
        || left(md5(string_agg(distinct coalesce(words, ''), ' | ' order by coalesce(words, ''))), 6) as series,
    string_agg(distinct coalesce(words, ''), ' | ' order by coalesce(words, '')) as fixed_options,
    count(distinct coalesce(words, '')) = 1 as is_same_for_all
from fixed
group by run_id, group_id
