-- Training intervals: epochs where the log has them, else blocks. The first is ordinal 1, whatever
-- its logged number. A stop belongs to the start of the same number, or, in logs that number the two
-- ends differently, to the start before it. Intervals that never stop (the one running when the target was met) are left out.
-- stored
-- run_id | - | run
-- ordinal | - | 1 for the first interval in the file
-- interval | - | epoch or block
-- epoch_num | epochs | as logged; samples where the log counts these
-- epochs | epochs | how many the interval spans
-- start_line | - | line of its start
-- stop_line | - | line of its stop
-- minutes | min | stop minus start
-- samples_per_s | samples/s | epochs times data set size over its time; NULL: size or time unknown
with marks as (
    select run_id, split_part(key, '_', 1) as interval, split_part(key, '_', 2) as side, line, time_ms,
        coalesce(try_cast(said[1] as double), try_cast(said[2] as double),
            try_cast(said[3] as double)) as epoch_num,
        try_cast(said[4] as double) as epoch_count
    from (
        select *, json_extract_string(metadata,
            ['$.epoch_num', '$.first_epoch_num', '$.samples_count', '$.epoch_count']) as said
        from event
        where key in ('epoch_start', 'epoch_stop', 'block_start', 'block_stop')
    )
), single as (
    select * from marks
    qualify row_number() over (partition by run_id, interval, side, epoch_num order by line) = 1
), by_number as (
    select a.*, o.line as stop_line, o.time_ms as stop_ms, 'number' as method
    from single a
    join single o on o.run_id = a.run_id and o.interval = a.interval and o.side = 'stop'
        and o.epoch_num is not distinct from a.epoch_num and o.line > a.line
    where a.side = 'start'
), in_order as (
    select *, lead(line) over in_file as stop_line, lead(time_ms) over in_file as stop_ms,
        'order' as method
    from single
    window in_file as (partition by run_id, interval order by line)
    qualify side = 'start' and lead(side) over in_file = 'stop'
), paired as (
    select * from by_number union all select * from in_order
), counted as (
    select *, count(*) over (partition by run_id, interval, method) as pairs
    from paired
    where stop_ms >= time_ms
), chosen as (
    select * from counted
    qualify rank() over (partition by run_id order by interval desc, pairs desc, method) = 1
)
select run_id, row_number() over (partition by run_id order by line) as ordinal, interval, epoch_num,
    coalesce(epoch_count, 1) as epochs, line as start_line, stop_line,
    (stop_ms - time_ms) / 60000 as minutes,
    case when b.progress = 'epochs' and stop_ms > time_ms
        then coalesce(epoch_count, 1) * b.samples_per_epoch / ((stop_ms - time_ms) / 1000)
    end as samples_per_s
from chosen
join run_benchmark b using (run_id)
