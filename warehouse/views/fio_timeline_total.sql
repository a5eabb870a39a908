-- The logs of one fio run together, in at most about 200 windows of time. Averaged logs: a log file's value is the
-- mean of its lines in the window, or its next line. Logs of every I/O: bytes or operations over the window, because
-- the rate that fio logs for one I/O is its size over its latency. Rates are added up; latencies are a range.
-- fio_run_id | - | run whose logs these are
-- collection | - | source.toml that governs the files
-- system | - | storage system
-- measure | - | bw, iops, slat, clat or lat
-- direction | - | read, write or trim
-- time_s | s | end of the window, since the start of the run
-- window_s | s | its length: the median distance of two lines of a log file, or more
-- logs | - | log files behind it
-- value_total | of the unit | sum over the log files; NULL for latencies, where one has ended, and where jobs share a file or lack one
-- value_low | of the unit | smallest of the log files
-- value_high | of the unit | largest of the log files
-- unit | - | B/s, I/O/s or us
-- path | - | first of the log files
-- line | - | its first line
with logged as (
    select fio_run_id, collection, system, measure, direction, path, line, unit, value, block_bytes,
        time_s - case when is_unix_time then min(time_s) over (partition by fio_run_id) else 0 end as time_s
    from fio_timeline
    where fio_run_id is not null and unit is not null
), stepped as (
    select *, time_s - lag(time_s) over (partition by path, measure, direction order by time_s, line) as step_s
    from logged
), spanned as (
    select fio_run_id, collection, system, measure, direction, unit, median(step_s) as step_s, max(time_s) as last_s,
        bool_and(block_bytes is not null) as is_single, coalesce(bool_or(step_s = 0), false) as is_crowded,
        count(distinct path) as logs, min(path) as path,
        arg_min(line, (path, line)) as line
    from stepped
    group by fio_run_id, collection, system, measure, direction, unit
), wished as (
    select *, greatest(step_s, last_s / 200, case when is_single then 0.01 else 0.001 end) as wished_s from spanned where last_s > 0
), scaled as (
    select *, case when is_single then last_s / greatest(1, floor(last_s / wished_s)) else wished_s end as window_s from wished
), windowed as (
    select *, unnest(generate_series(1, try_cast(greatest(1, ceil(last_s / window_s - 1e-6)) as bigint))) as number from scaled
), averaged as (
    select l.path, l.measure, l.direction, try_cast(greatest(1, ceil(l.time_s / s.window_s - 1e-6)) as bigint) as number,
        case when not s.is_single or l.unit = 'us' then avg(l.value) when l.measure = 'bw' then sum(l.block_bytes) / s.window_s
            else count(*) / s.window_s end as value
    from logged l
    join scaled s on s.fio_run_id = l.fio_run_id and s.measure = l.measure and s.direction = l.direction
    group by l.path, l.measure, l.direction, number, s.is_single, s.window_s, l.unit
), log_file as (
    select distinct fio_run_id, measure, direction, path from logged
), valued as (
    select w.*, coalesce(a.value, case when w.is_single and w.unit <> 'us' then 0 when not w.is_single then n.value end) as value
    from (select w.*, f.path as log_path, w.number * w.window_s as end_s from windowed w
        join log_file f on f.fio_run_id = w.fio_run_id and f.measure = w.measure and f.direction = w.direction) w
    left join averaged a on a.path = w.log_path and a.measure = w.measure and a.direction = w.direction and a.number = w.number
    asof left join logged n on n.path = w.log_path and n.measure = w.measure and n.direction = w.direction and n.time_s >= w.end_s
), shared as (
    select l.fio_run_id, l.measure, any_value(l.logs) >= any_value(j.jobs) as is_told_apart
    from fio_log_link l
    join (select run_id, case when count(jobs) = count(*) then sum(jobs) end as jobs from fio_job group by run_id) j
        on j.run_id = l.fio_run_id
    group by l.fio_run_id, l.measure
)
select v.fio_run_id, v.collection, v.system, v.measure, v.direction, v.number * v.window_s as time_s, v.window_s, v.logs,
    case when v.unit <> 'us' and count(v.value) = v.logs and s.is_told_apart and (v.is_single or not v.is_crowded) then sum(v.value) end as value_total,
    min(v.value) as value_low, max(v.value) as value_high, v.unit, v.path, v.line
from valued v
left join shared s on s.fio_run_id = v.fio_run_id and s.measure = v.measure
group by v.fio_run_id, v.collection, v.system, v.measure, v.direction, v.number, v.window_s, v.logs, v.unit, v.path, v.line,
    v.is_single, v.is_crowded, s.is_told_apart
