-- title: Runs that are too short
-- severity: graded
-- applies to: fio runs
-- basis: W5 of the fio fair-run rules: at least 60 s, and 90 % of the run time that was asked for; thresholds fio_min_runtime_s, fio_runtime_share_pct
-- why: A short run measures caches, start and burst credit; one that ended early was stopped, or ran out of files.
-- remedy: Set time_based and runtime=60 or more; let the run come to its end.
-- false positives: A sweep whose short points were tried against long ones.
with tested as (
    select r.run_id, r.path, r.line, r.collection, r.system, r.series, r.runtime_s,
        j.asked_s, r.runtime_s < j.asked_s * limit_of('fio_runtime_share_pct') / 100 as is_early,
        r.runtime_s < limit_of('fio_min_runtime_s') as is_broken
    from fio_result r
    left join (
        select run_id, group_id, min(runtime_asked_s) as asked_s from fio_job
        where not coalesce(is_steady, false) and json_extract_string(options, '$.number_ios') is null
            and json_extract_string(options, '$.io_size') is null and json_extract_string(options, '$.latency_target') is null
        group by run_id, group_id
    ) j on j.run_id = r.run_id and j.group_id is not distinct from r.group_id
    where r.status = 'complete'
), counted as (
    select *, count(*) over (partition by collection, system, coalesce(series, path)) as results from tested
)
select 'error' as severity, f.path as subject, f.message, f.path, f.line, f.value || ' s' as value, f.limit_value || ' s' as limit_value
from fio_fault f
join fio_run r using (run_id)
where f.fault = 'short' and r.is_counted
union all
select 'warning', path,
    'ran ' || round(min(runtime_s), 2) || ' s of the ' || min(asked_s) || ' s that were asked for: it ended by size, or was stopped',
    path, min(line), round(min(runtime_s), 2)::varchar || ' s', min(asked_s)::varchar || ' s'
from tested
where is_early
group by run_id, path
union all
select 'warning', fio_subject(system, series, collection, path) as subject,
    count(*) || ' of ' || any_value(results) || case any_value(results) when 1 then ' result ran ' else ' results ran ' end
        || fio_range(round(min(runtime_s), 1), round(max(runtime_s), 1)) || ' s, under ' || limit_said('fio_min_runtime_s'),
    min(path), arg_min(line, (path, line)), round(min(runtime_s), 1)::varchar || ' s', limit_said('fio_min_runtime_s')
from counted
where is_broken and not coalesce(is_early, false)
group by subject
