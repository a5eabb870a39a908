-- title: Tests that go through the page cache
-- severity: warning
-- applies to: fio runs
-- basis: W1 of the fio fair-run rules: direct=1 or buffered=0; where the options are printed and name neither, fio has its default, 0
-- why: Reads may come from the memory of the client, and writes may end there: the number is not that of the storage.
-- remedy: Set direct=1; if buffered I/O is what is asked about, use files of twice the memory and say so.
-- false positives: A test of the page cache; engines that know no page cache. On NFS direct passes by the cache of the client, not that of the server.
with tested as (
    select r.*, j.options
    from fio_result r
    join fio_job j on j.run_id = r.run_id and j.group_id is not distinct from r.group_id
    where r.status = 'complete' and not j.is_direct and j.ioengine <> 'null'
)
select fio_subject(system, series, collection, path) as subject,
    case when bool_or(json_extract_string(options, '$.direct') is not null or json_extract_string(options, '$.buffered') is not null)
        then 'direct=0 is set' else 'direct is not set, so it is 0' end
        || ': ' || count(distinct run_id) || case count(distinct run_id) when 1 then ' run goes' else ' runs go' end
        || ' through the page cache of the client' as message,
    min(path) as path, arg_min(line, (path, line)) as line, '0' as value, '1' as limit_value
from tested
group by subject
