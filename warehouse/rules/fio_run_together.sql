-- title: Jobs that did not run together
-- severity: warning
-- applies to: fio runs
-- basis: W10 of the fio fair-run rules: starts within 1 s, run times within 2 %, and the sum of the rates within 3 % of all bytes over the longest run time; thresholds fio_start_spread_s, fio_runtime_spread_pct, fio_together_pct
-- why: The bandwidth of clients that ran one after another is nowhere reached; one that ran alone for a while was faster for it.
-- remedy: Use time_based with one runtime for all; start all clients from one fio --client; look at the straggler.
-- false positives: Clients whose clocks differ (starts are printed from fio 3.36 on); jobs with files of different sizes.
with spread as (
    select t.run_id, t.group_id, t.direction, count(*) as entries, (max(j.job_start_ms) - min(j.job_start_ms)) / 1000 as start_s,
        (max(t.runtime_ms) / min(nullif(t.runtime_ms, 0)) - 1) * 100 as runtime_pct, min(t.runtime_ms) / 1000 as least_s, max(t.runtime_ms) / 1000 as most_s
    from fio_job_result t
    join fio_job j on j.run_id = t.run_id and j.entry = t.entry
    where t.bytes_moved > 0
    group by t.run_id, t.group_id, t.direction
    having count(*) > 1
), tested as (
    select r.run_id, r.path, r.line, s.direction, r.bandwidth_sum_bps, r.bandwidth_bps, (r.bandwidth_sum_bps / nullif(r.bandwidth_bps, 0) - 1) * 100 as sum_pct,
        s.start_s, s.runtime_pct, s.least_s, s.most_s
    from fio_result r
    join spread s on s.run_id = r.run_id and s.group_id is not distinct from r.group_id and s.direction = r.direction
    where r.status = 'complete'
)
select path as subject,
    'the jobs (' || direction || ') ' || concat_ws('; ',
        case when start_s > limit_of('fio_start_spread_s') then 'started ' || round(start_s, 2) || ' s apart' end,
        case when runtime_pct > limit_of('fio_runtime_spread_pct') then 'ran ' || round(least_s, 2) || ' to ' || round(most_s, 2) || ' s, ' || round(runtime_pct, 1) || ' % apart' end,
        case when sum_pct > limit_of('fio_together_pct') then 'sum up to ' || fio_mbps(bandwidth_sum_bps) || ', all bytes over the longest run time give '
            || fio_mbps(bandwidth_bps) end) as message,
    path, line,
    concat_ws(', ', case when start_s > limit_of('fio_start_spread_s') then round(start_s, 2) || ' s' end,
        case when runtime_pct > limit_of('fio_runtime_spread_pct') then round(runtime_pct, 1) || ' %' end,
        case when sum_pct > limit_of('fio_together_pct') then round(sum_pct, 1) || ' %' end) as value,
    concat_ws(', ', case when start_s > limit_of('fio_start_spread_s') then limit_said('fio_start_spread_s') end,
        case when runtime_pct > limit_of('fio_runtime_spread_pct') then limit_said('fio_runtime_spread_pct') end,
        case when sum_pct > limit_of('fio_together_pct') then limit_said('fio_together_pct') end) as limit_value
from tested
where start_s > limit_of('fio_start_spread_s') or runtime_pct > limit_of('fio_runtime_spread_pct') or sum_pct > limit_of('fio_together_pct')
