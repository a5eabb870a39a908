-- title: Runs without a ramp
-- severity: warning
-- applies to: fio runs
-- basis: W6 of the fio fair-run rules: ramp_time is over 0, or the steady state was attained; else the first seconds are in the mean
-- why: Caches, queues and burst credit fill in the first seconds; a mean that holds them is not the steady rate.
-- remedy: Set ramp_time to 10 s or more, or use steadystate.
-- false positives: Runs so long that the first seconds do not count.
with tested as (
    select distinct r.run_id, r.path, r.line, r.collection, r.system, r.series
    from fio_result r
    join fio_job j on j.run_id = r.run_id and j.group_id is not distinct from r.group_id
    where r.status = 'complete' and r.form = 'json' and j.options is not null
        and coalesce(j.ramp_asked_s, 0) = 0 and not coalesce(j.is_steady, false)
)
select fio_subject(system, series, collection, path) as subject,
    'ramp_time is not set: the first seconds are in the mean of ' || count(distinct run_id)
        || case count(distinct run_id) when 1 then ' run' else ' runs' end as message,
    min(path) as path, arg_min(line, (path, line)) as line, '0 s' as value, 'over 0 s' as limit_value
from tested
group by subject
