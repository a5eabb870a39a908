-- title: Latencies that were not measured
-- severity: info
-- applies to: fio runs
-- basis: I1 of the fio fair-run rules: a latency of 0 is one that was not measured (gtod_reduce, disable_lat), and counts as unknown
-- why: A mean of 0 us in a table looks like a very fast system.
-- remedy: Leave gtod_reduce, disable_lat and disable_clat out where latency matters.
-- false positives: None known.
with tested as (
    select *, count(*) over (partition by collection, system, coalesce(series, path)) as results
    from fio_result
    where status = 'complete' and ios > 0
)
select fio_subject(system, series, collection, path) as subject,
    count(*) || ' of ' || any_value(results) || case any_value(results) when 1 then ' result has' else ' results have' end
        || ' no latency (' || string_agg(distinct direction, ', ' order by direction) || '): it was not measured' as message,
    min(path) as path, arg_min(line, (path, line)) as line, null::varchar as value, null::varchar as limit_value
from tested
where lat_mean_us is null
group by subject
