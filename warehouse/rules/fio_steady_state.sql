-- title: Bandwidth that is not steady
-- severity: warning
-- applies to: fio runs
-- basis: W7 of the fio fair-run rules: in the bandwidth log, cut into up to ten equal windows, none departs far from the mean and the slope is small; thresholds fio_steady_deviation_pct, fio_steady_slope_pct
-- why: The mean of a bandwidth that rises, falls or breaks down depends on how long was measured.
-- remedy: Use a longer ramp_time and run time, or steadystate; look at the time line for what happened.
-- false positives: Short runs. Logs with fewer than ten averages, or 250 single I/Os, of each job are not judged.
with sample as (
    select l.fio_run_id, l.run_id, l.path, s.direction, s.time_ms, s.value, s.block_bytes
    from fio_log_link l
    join fio_log_sample s on s.run_id = l.run_id
    where l.measure = 'bw' and l.fio_run_id in (select run_id from fio_result where status = 'complete' group by run_id having count(distinct group_id) <= 1)
        and l.fio_run_id not in (select run_id from fio_job where is_steady)
), log_span as (
    select fio_run_id, run_id, direction, min(path) as path, min(time_ms) as first_ms, max(time_ms) as last_ms, count(*) as samples,
        coalesce(max(block_bytes), 0) > 0 as is_single
    from sample
    group by fio_run_id, run_id, direction
), spanned as (
    select fio_run_id, direction, min(path) as path, min(first_ms) as first_ms, max(last_ms) as last_ms, bool_or(is_single) as is_single,
        least(10, min(case when is_single then samples // 50 else samples // 2 end)) as parts
    from log_span
    group by fio_run_id, direction
    having max(last_ms) > min(first_ms)
), cut as (
    select s.fio_run_id, s.run_id, s.direction, least(p.parts - 1, floor((s.time_ms - p.first_ms) * p.parts / (p.last_ms - p.first_ms))) as part,
        case when any_value(p.is_single) then sum(s.block_bytes) else avg(s.value) end as rate
    from sample s
    join spanned p on p.fio_run_id = s.fio_run_id and p.direction = s.direction
    where p.parts >= 5
    group by s.fio_run_id, s.run_id, s.direction, part
), windowed as (
    select fio_run_id, direction, part, sum(rate) as rate from cut group by fio_run_id, direction, part
), departing as (
    select w.fio_run_id, w.direction, max(abs(w.rate / w.mean - 1)) * 100 as deviation_pct, abs(regr_slope(w.rate / w.mean, w.part)) * (count(*) - 1) * 100 as slope_pct
    from (select *, avg(rate) over (partition by fio_run_id, direction) as mean from windowed) w
    where w.mean > 0
    group by w.fio_run_id, w.direction
)
select r.path as subject,
    'the ' || d.direction || ' bandwidth in ' || p.parts || ' windows of the run departs up to ' || round(d.deviation_pct, 1) || ' % from its mean and drifts by '
        || round(d.slope_pct, 1) || ' % over the run' as message,
    p.path, 1 as line, round(d.deviation_pct, 1) || ' %, ' || round(d.slope_pct, 1) || ' %' as value,
    limit_said('fio_steady_deviation_pct') || ', ' || limit_said('fio_steady_slope_pct') as limit_value
from departing d
join spanned p on p.fio_run_id = d.fio_run_id and p.direction = d.direction
join fio_run r on r.run_id = d.fio_run_id
where d.deviation_pct > limit_of('fio_steady_deviation_pct') or d.slope_pct > limit_of('fio_steady_slope_pct')
