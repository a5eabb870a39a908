-- title: Little's law
-- severity: warning
-- applies to: fio runs
-- basis: W9 of the fio fair-run rules: mean latency times rate is depth times jobs, within 10 %; threshold fio_little_tolerance_pct
-- why: Where fewer I/Os were under way than were asked for, the client spent its time elsewhere, or latency and rate are not of the same I/Os.
-- remedy: Look at the processor of the client and at fsync, verify or a file system that serialises; run again with fewer jobs.
-- false positives: Jobs held back by a rate, pauses or a latency target, that verify, or whose latency was not measured in full are left out. With ramp_time the mean has a few I/Os more.
with entry as (
    select j.run_id, j.group_id, j.path, j.name, j.client, j.line, j.jobs * case when fio_is_synchronous(j.ioengine) then 1 else j.iodepth end as asked,
        sum(t.lat_mean_us * t.iops) / 1e6 as found, bool_and(t.lat_kind is not distinct from 'lat') as is_measured
    from fio_job j
    join fio_job_result t on t.run_id = j.run_id and t.entry = j.entry and t.ios > 0
    join fio_run u on u.run_id = j.run_id
    where not coalesce(j.is_mixed_group, false) and j.options is not null and u.form = 'json' and j.ioengine <> 'null'
        and json_extract_string(j.options, '$.verify') is null and not fio_is_held_back(j.options)
    group by j.run_id, j.group_id, j.path, j.name, j.client, j.line, j.jobs, j.ioengine, j.iodepth
), summed as (
    select e.run_id, e.group_id, e.path, min(e.line) as line, sum(e.asked) as asked, sum(e.found) as found, count(e.asked) = count(*) as is_known
    from entry e
    where exists (select 1 from fio_result r where r.run_id = e.run_id and r.group_id is not distinct from e.group_id and r.status = 'complete')
    group by e.run_id, e.group_id, e.path
    having bool_and(e.is_measured)
)
select path as subject,
    'mean latency times rate is ' || round(found, 2) || ' I/Os under way, depth times jobs is ' || asked as message,
    path, line, round(found, 2)::varchar as value, asked::varchar as limit_value
from summed
where is_known and abs(found / nullif(asked, 0) - 1) * 100 > limit_of('fio_little_tolerance_pct')
