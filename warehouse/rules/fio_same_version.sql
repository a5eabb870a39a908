-- title: Versions of fio that differ
-- severity: warning
-- applies to: fio runs
-- basis: W13 of the fio fair-run rules: one fio version over a series, and over systems that are compared with one job file; time-based random writes changed at 3.3, open files between 3.16 and 3.34 (axboe/fio issue 1553)
-- why: Another fio may write other data, open files otherwise and count otherwise: the difference is then not that of the storage.
-- remedy: Run all points and all systems with one fio version.
-- false positives: Versions that differ in nothing that the test uses.
select series as subject,
    'this job file was run with ' || string_agg(said, ', ' order by said) as message,
    arg_min(path, (results, said)) as path, arg_min(line, (results, said)) as line, count(distinct version)::varchar || ' versions' as value, '1' as limit_value
from (
    select series, system, version, count(*) as results, min(path) as path, arg_min(line, (path, line)) as line,
        version || ' on ' || system || ' (' || count(*) || case count(*) when 1 then ' result)' else ' results)' end as said
    from fio_result
    where status = 'complete' and series is not null and version is not null
    group by series, collection, system, version
)
group by series
having count(distinct version) > 1
