-- title: Tests that are held back, or helped
-- severity: warning
-- applies to: fio runs
-- basis: W4 of the fio fair-run rules: pre_read, invalidate=0, ioengine null or mmap, rate, thinktime, latency_target or verify make it no test of the most the storage gives
-- why: A rate limit or a pause keeps the storage idle; a file read beforehand sits in memory; verification adds work that is not I/O.
-- remedy: Leave the option out; with a rate on purpose, read the result as a load that was met, not as the most there is.
-- false positives: A test whose load is meant to be fixed, as for latency at a given rate or for growth with the number of clients.
with tested as (
    select distinct r.run_id, r.path, r.line, r.collection, r.system, r.series, n.name, json_extract_string(j.options, '$.' || n.name) as said
    from fio_result r
    join fio_job j on j.run_id = r.run_id and j.group_id is not distinct from r.group_id
    cross join (values ('pre_read'), ('invalidate'), ('ioengine'), ('rate'), ('rate_iops'), ('thinktime'), ('latency_target'), ('verify')) n (name)
    where r.status = 'complete' and case n.name when 'ioengine' then json_extract_string(j.options, '$.ioengine') in ('null', 'mmap')
        when 'invalidate' then json_extract_string(j.options, '$.invalidate') = '0'
        else json_extract_string(j.options, '$.' || n.name) not in ('0', 'null') end
)
select fio_subject(system, series, collection, path) as subject,
    string_agg(distinct name || '=' || said, ', ' order by name || '=' || said) || ': ' || count(distinct run_id)
        || case count(distinct run_id) when 1 then ' run does' else ' runs do' end || ' not show the most that the storage gives' as message,
    min(path) as path, arg_min(line, (path, line)) as line,
    string_agg(distinct name || '=' || said, ', ' order by name || '=' || said) as value, null::varchar as limit_value
from tested
group by subject
