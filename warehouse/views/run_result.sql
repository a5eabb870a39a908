-- One row per run: time to train and what it took to converge.
-- Time to train is run_stop minus run_start, never the least and greatest time of the log.
-- stored
-- run_id | - | run
-- result_set | - | result set it belongs to
-- collection | - | source.toml that governs the file, '' for none
-- round | - | such as v1.1
-- division | - | closed or open
-- organization | - | submitter
-- system | - | system under test
-- benchmark | - | folder name of the benchmark
-- benchmark_title | - | name for people
-- run_number | - | n of result_n.txt
-- path | - | file
-- start_line | - | line of run_start
-- stop_line | - | line of run_stop
-- start_ms | ms | run_start in its clock
-- stop_ms | ms | run_stop in its clock
-- started_at | UTC | run_start as a time, NULL where the clock is not a calendar's
-- time_to_train_min | min | run_stop minus run_start; NULL with a reason
-- status | - | what run_stop says
-- is_converged | - | status success; for rounds that log none: the last evaluation reached the logged target, or without a target the log says run_final
-- is_counted | - | belongs to its result set's score
-- reason | - | why the run has no time or does not count, else NULL
-- final_accuracy | of the metric | last evaluation
-- accuracy_line | - | its line
-- epochs_to_converge | epochs | epoch_num of the last evaluation where it counts epochs
-- samples_to_converge | samples | training samples seen until the last evaluation; NULL: not logged
-- sample | - | what one sample is
-- global_batch_size | samples | last logged global_batch_size
-- global_batch_size_line | - | its line
-- nodes | nodes | from the system description
-- accelerators | accelerators | from the system description
-- verification | - | official or unverified
-- kind | - | logged or reconstructed
with marks as (
    select run_id,
        arg_min(time_ms, line) filter (key = 'run_start') as start_ms,
        arg_min(time_ms, line) filter (key = 'run_stop') as stop_ms,
        min(line) filter (key = 'run_start') as start_line,
        min(line) filter (key = 'run_stop') as stop_line,
        arg_min(clock, line) filter (key = 'run_start') as start_clock,
        arg_min(clock, line) filter (key = 'run_stop') as stop_clock,
        arg_max(number, line) filter (key in ('global_batch_size', 'input_batch_size')) as batch,
        max(line) filter (key in ('global_batch_size', 'input_batch_size')) as batch_line,
        arg_max(number, line) filter (key = 'train_samples') as train_samples,
        max(line) filter (key = 'train_samples') as train_samples_line,
        arg_max(number, line) filter (key in ('eval_target', 'target_accuracy', 'quality_target')) as target,
        count(*) filter (key = 'run_final') > 0 as has_final
    from event
    where key in ('run_start', 'run_stop', 'global_batch_size', 'input_batch_size', 'train_samples',
        'eval_target', 'target_accuracy', 'quality_target', 'run_final')
    group by run_id
), last_evaluation as (
    select run_id, arg_max(accuracy, ordinal) as accuracy, max(line) as line,
        arg_max(epoch_num, ordinal) as epoch_num, arg_max(samples_trained, ordinal) as samples_trained
    from evaluation
    group by run_id
), timed as (
    select h.*, b.benchmark_title, b.samples_per_epoch, b.sample, b.progress,
        m.* exclude (run_id), e.* exclude (run_id, line), e.line as accuracy_line,
        case when m.start_line is null then 'no run_start'
            when m.stop_line is null then 'no run_stop'
            when m.start_ms is null or m.stop_ms is null then 'run_start or run_stop has no time'
            when m.start_clock <> m.stop_clock then 'run_start and run_stop are of different clocks'
            when m.stop_ms <= m.start_ms then 'run_stop is not after run_start'
        end as no_time,
        coalesce(case when b.is_lower_better then e.accuracy <= m.target else e.accuracy >= m.target end,
            m.target is null and m.has_final, false) as is_reached
    from run_header h
    join run_benchmark b using (run_id)
    left join marks m using (run_id)
    left join last_evaluation e using (run_id)
)
select run_id, result_set, collection, round, division, organization, system, benchmark,
    benchmark_title, run_number, path, start_line, stop_line, start_ms, stop_ms,
    case when start_clock = 'epoch' then make_timestamp((start_ms * 1000)::bigint) end as started_at,
    case when no_time is null then (stop_ms - start_ms) / 60000 end as time_to_train_min,
    status,
    no_time is null and (status = 'success' or (status = 'stopped' and is_reached)) as is_converged,
    is_counted, coalesce(reason, no_time,
        case when status = 'aborted' then 'did not converge'
            when status = 'unknown' then 'run_stop names a status that is not known'
            when status = 'stopped' and not is_reached and target is not null
                then 'run_stop has no status, and the logged target was not reached'
            when status = 'stopped' and not is_reached then 'run_stop has no status'
        end) as reason,
    accuracy as final_accuracy, accuracy_line,
    case when progress in ('epochs', 'none') then epoch_num
        when progress = 'epochs_from_one' then epoch_num - 1
        when progress = 'samples' then epoch_num / samples_per_epoch end as epochs_to_converge,
    coalesce(
        case when progress = 'train_samples' and train_samples_line > start_line then train_samples end,
        case when progress <> 'none' then samples_trained end) as samples_to_converge,
    sample, batch as global_batch_size, batch_line as global_batch_size_line,
    nodes, accelerators, verification, kind
from timed
