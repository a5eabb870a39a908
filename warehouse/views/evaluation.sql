-- Every evaluation of every run, in file order; repeats of one evaluation by other ranks left out.
-- stored
-- run_id | - | run
-- ordinal | - | 1 for the first evaluation in the file; one number for all metrics of it
-- metric | - | accuracy, or the name that the log gives (BBOX, SEGM, FID, CLIP)
-- accuracy | of the metric | value as logged
-- epoch_num | epochs | as logged; some benchmarks count samples here
-- samples_count | samples | as logged in metadata, else NULL
-- samples_trained | samples | training samples until then, from epochs or samples, whichever the log counts
-- quality | - | what the benchmark's evaluation measures
-- is_lower_better | - | a smaller value is a better one
-- minutes_since_start | min | after run_start, NULL across clocks
-- line | - | line in the file
-- path | - | file
with seen as (
    select run_id, line, time_ms, clock, value, number,
        try_cast(said[1] as double) as epoch_num,
        coalesce(try_cast(said[2] as double), try_cast(said[3] as double)) as samples_count,
        said[4] as metric
    from (
        select *, json_extract_string(metadata,
            ['$.epoch_num', '$.samples_count', '$.train_samples', '$.metric']) as said
        from event
        where key in ('eval_accuracy', 'eval_error')
    )
), single as (
    select * from seen
    qualify row_number() over (
        partition by run_id, value, epoch_num, samples_count, metric order by line) = 1
), numbered as (
    select *, row_number() over (partition by run_id order by line) as ordinal from single
), split as (
    select run_id, ordinal, line, time_ms, clock, epoch_num, samples_count,
        unnest(case when value[1] = '{' then json_keys(value) else [coalesce(metric, 'accuracy')] end)
            as metric, value, number
    from numbered
), started as (
    select run_id, arg_min(time_ms, line) as start_ms, arg_min(clock, line) as start_clock
    from event where key = 'run_start' group by run_id
)
select s.run_id, s.ordinal, s.metric,
    case when value[1] = '{' then try_cast(json_extract_string(value, s.metric) as double)
        else number end as accuracy,
    s.epoch_num, s.samples_count,
    case b.progress when 'epochs' then s.epoch_num * b.samples_per_epoch
        when 'epochs_from_one' then (s.epoch_num - 1) * b.samples_per_epoch
        when 'samples' then s.epoch_num
        else coalesce(s.samples_count, case when s.epoch_num > 1 and b.progress = 'train_samples'
            then s.epoch_num end) end as samples_trained,
    b.quality, b.is_lower_better,
    case when s.clock = r.start_clock then (s.time_ms - r.start_ms) / 60000 end as minutes_since_start,
    s.line, f.path
from split s
left join started r using (run_id)
join run_benchmark b using (run_id)
join run using (run_id)
join source f using (source_id)
