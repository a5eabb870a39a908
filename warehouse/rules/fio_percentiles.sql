-- title: Latency percentiles and bins that do not add up
-- severity: error
-- applies to: fio runs
-- basis: E8 of the fio fair-run rules: percentiles rise and stay under the largest latency, the bins hold as many I/Os as were measured, and these are the operations; thresholds fio_percentile_tolerance_pct, fio_samples_tolerance_pct
-- why: A tail latency that contradicts the rest of its job cannot be relied on.
-- remedy: Load the file as fio wrote it; use another fio version.
-- false positives: With ramp_time the I/Os in flight at its end are allowed for; text with rounded latencies is not held against its maximum.
with entry as (
    select j.*, t.direction, t.ios, r.is_rounded
    from fio_job j
    join fio_run r using (run_id)
    join fio_transfer t on t.run_id = j.run_id and t.snapshot = j.snapshot and t.entry = j.entry
    where r.is_counted and coalesce(j.error, 0) = 0
), summed as (
    select e.*, s.kind, s.max_ns, s.samples, s.line as summary_line
    from entry e
    join fio_lat_summary s on s.run_id = e.run_id and s.snapshot = e.snapshot and s.entry = e.entry and s.direction = e.direction
), ranked as (
    select s.*, p.percentile, p.value_ns, p.line as percentile_line,
        lag(p.value_ns) over (partition by p.run_id, p.snapshot, p.entry, p.direction, p.kind order by p.percentile) as before_ns
    from fio_lat_percentile p
    join summed s on s.run_id = p.run_id and s.snapshot = p.snapshot and s.entry = p.entry and s.direction = p.direction and s.kind = p.kind
), binned as (
    select run_id, snapshot, entry, direction, kind, sum(ios) as ios, min(line) as line
    from fio_lat_bin
    group by run_id, snapshot, entry, direction, kind
), wrong as (
    select run_id, path, name, client, direction, kind, percentile_line as line,
        'the percentile ' || percentile || ' is ' || value_ns / 1000 || ' us, the one below it ' || before_ns / 1000 || ' us' as what,
        value_ns / 1000 as value, before_ns / 1000 as expected
    from ranked
    where value_ns < before_ns
    union all
    select run_id, path, name, client, direction, kind, percentile_line,
        'the percentile ' || percentile || ' is ' || value_ns / 1000 || ' us, the largest latency ' || max_ns / 1000 || ' us',
        value_ns / 1000, max_ns / 1000
    from ranked
    where value_ns > max_ns * (1 + limit_of('fio_percentile_tolerance_pct') / 100) and not is_rounded
    union all
    select s.run_id, s.path, s.name, s.client, s.direction, s.kind, b.line,
        'its bins hold ' || try_cast(b.ios as bigint) || ' I/Os, ' || try_cast(s.samples as bigint) || ' were measured', b.ios, s.samples
    from binned b
    join summed s on s.run_id = b.run_id and s.snapshot = b.snapshot and s.entry = b.entry and s.direction = b.direction and s.kind = b.kind
    where b.ios <> s.samples
    union all
    select run_id, path, name, client, direction, kind, summary_line,
        try_cast(samples as bigint) || ' I/Os were measured, ' || try_cast(ios as bigint) || ' were done', samples, ios
    from summed
    where kind <> 'slat' and samples > 0 and abs(samples - ios) > greatest(ios * limit_of('fio_samples_tolerance_pct') / 100,
        case when ramp_asked_s > 0 then iodepth * coalesce(jobs, 1) end)
)
select path as subject, kind || ' of job ' || name || ' on ' || client || ' (' || direction || '): ' || what as message,
    path, line, value::varchar as value, expected::varchar as limit_value
from wrong
qualify row_number() over (partition by run_id, name, client, direction order by line, what) = 1
