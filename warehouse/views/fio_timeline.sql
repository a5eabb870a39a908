-- Fio's logs in time, in one unit system: a row for each line of a bandwidth, rate or latency log.
-- run_id | - | run of the log file
-- path | - | log file
-- line | - | line
-- collection | - | source.toml that governs the file
-- system | - | storage system
-- fio_run_id | - | run whose log it is; NULL: cannot be told
-- measure | - | bw, iops, slat, clat or lat
-- job | - | number of the job in the file name
-- host | - | client in the file name
-- direction | - | read, write or trim
-- time_s | s | since the start of the job; since 1970 with log_unix_epoch
-- is_unix_time | - | since 1970
-- value | of the unit | as logged, in the unit of the next column
-- unit | - | B/s, I/O/s or us; NULL: the log does not say which, and no output that does is loaded
-- value_max | of the unit | largest within the averaging window (log_window_value=both)
-- block_bytes | B | of the I/O; NULL where values are averaged
-- offset_bytes | B | of the I/O; NULL: not logged, or not told from a priority
select l.run_id, l.path, s.line, l.collection, l.system, l.fio_run_id, l.measure, l.job, l.host, s.direction,
    s.time_ms / 1000 as time_s, s.time_ms > 1e11 as is_unix_time,
    s.value * u.factor as value, u.unit, s.value_max * u.factor as value_max,
    nullif(s.block_bytes, 0) as block_bytes,
    coalesce(s.offset_bytes, case when l.release < 3018 and l.layout like '%undecided%' then s.undecided end) as offset_bytes
from fio_log_link l
join fio_log_sample s on s.run_id = l.run_id
cross join lateral (
    select case when l.measure = 'bw' then 1024.0 when l.measure = 'iops' then 1.0
            when l.is_ns then 0.001 else 1.0 end as factor,
        case when l.measure = 'bw' then 'B/s' when l.measure = 'iops' then 'I/O/s' when l.is_ns is not null then 'us' end as unit
) u
