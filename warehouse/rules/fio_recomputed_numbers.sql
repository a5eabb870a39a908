-- title: Numbers that do not agree with each other
-- severity: error
-- applies to: fio runs
-- basis: E7 of the fio fair-run rules: bytes over run time is the printed bandwidth, operations over run time the printed rate, bytes over operations the block size; thresholds fio_bandwidth_tolerance_pct, fio_bandwidth_tolerance_bps, fio_block_tolerance_pct
-- why: Numbers of one job that contradict each other were changed, mixed up, or printed by a fio with a fault.
-- remedy: Load the file as fio wrote it; look for jobs with other block sizes in a merged group; use another fio version.
-- false positives: Short jobs with a few large blocks. With ramp_time the blocks in flight at its end are allowed for.
with entry as (
    select t.*, j.ramp_asked_s, j.iodepth, r.path as run_path
    from fio_job_result t
    join fio_job j on j.run_id = t.run_id and j.entry = t.entry
    join fio_run r on r.run_id = t.run_id
    where r.is_counted and coalesce(j.error, 0) = 0
), compared as (
    select *, 'bandwidth' as what, 'B/s' as unit, printed_bandwidth_bps as printed, bandwidth_bps as computed, 'bytes over run time' as how,
        greatest(bandwidth_bps * limit_of('fio_bandwidth_tolerance_pct') / 100, limit_of('fio_bandwidth_tolerance_bps')) as allowed
    from entry
    union all
    select *, 'rate', 'I/O/s', printed_iops, iops, 'operations over run time',
        greatest(iops * limit_of('fio_bandwidth_tolerance_pct') / 100, 1)
    from entry
    union all
    select *, 'block size', 'B', block_bytes, bytes_moved / nullif(ios, 0), 'bytes over operations',
        greatest(block_bytes * limit_of('fio_block_tolerance_pct') / 100,
            case when ramp_asked_s > 0 then block_bytes * iodepth * coalesce(jobs, 1) / nullif(ios, 0) end)
    from entry
)
select run_path as subject,
    case when count(*) > 1 then count(*) || ' jobs, the first of them ' else 'job ' end || arg_min(name, line) || ' on ' || arg_min(client, line)
        || ' (' || arg_min(direction, line) || '): ' || what || ' ' || arg_min(round(printed, 1), line) || ' ' || unit
        || case what when 'block size' then ' was asked for, ' else ' is printed, ' end || how || ' gives ' || arg_min(round(computed, 1), line) as message,
    run_path as path, min(line) as line, arg_min(round(printed, 1), line)::varchar as value,
    arg_min(round(computed, 1), line)::varchar as limit_value
from compared
where abs(printed - computed) > allowed
group by run_id, run_path, what, unit, how
