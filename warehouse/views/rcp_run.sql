-- What the official convergence test reads in the log of each run that counts: batch size, and how long it
-- took to converge (mlcommons/logging rcp_checker). Its reader looks at whole files, and finds a quantity
-- in every record whose text names it.
-- stored
-- run_id | - | run
-- result_set | - | result set it belongs to
-- run_number | - | n of result_n.txt
-- path | - | file
-- rule_set | - | official rule set that it is judged by; NULL: none
-- benchmark | - | submission_benchmark in the log
-- global_batch_size | samples | last logged; NULL: not logged, or no number
-- batch_line | - | its line
-- is_converged | - | the last run_stop says success
-- converged | of unit | what it took; NULL: did not converge, or not logged
-- unit | - | epochs, samples, steps or tokens
-- counted_in | - | where it stands in the log: epoch_num, samples_count, step_num (metadata of the last evaluation) or train_samples
-- line | - | line of the evaluation or count; of run_stop where the run did not converge
-- fault | - | why the official reader crashes on the file; NULL: it does not
with counted as (
    select h.*, s.rule_set, h.run_id // 1000000000 as file
    from run_header h
    left join run_rule_set s using (run_id)
    where h.is_counted
), told as (
    select run_id // 1000000000 as file, line, key, value, number, metadata,
        contains(key, 'global_batch_size') or contains(metadata, 'global_batch_size') as is_batch,
        contains(key, 'eval_accuracy') or contains(key, 'eval_error') or contains(metadata, 'eval_accuracy')
            or contains(metadata, 'eval_error') as is_evaluation,
        contains(key, 'train_samples') or contains(metadata, 'train_samples') as is_samples
    from event
    where key = 'run_stop' or is_batch or is_evaluation or is_samples
), stopped as (
    select file, max(line) as stop_line, arg_max(json_extract_string(metadata, '$.status'), line) as status,
        count(*) filter (not coalesce(json_exists(metadata, '$.status'), false)) as without_status
    from told
    where key = 'run_stop'
    group by file
), kinds as (
    select c.run_id, c.file, s.* exclude (file),
        case when c.logged_benchmark = 'stable_diffusion' then if(c.rule_set = 'training 3.1.0', 'step_num', 'samples_count')
            when rcp_counts_samples(c.logged_benchmark) then 'samples_count' else 'epoch_num' end as counted_in
    from counted c
    left join stopped s using (file)
), evaluations as (
    select k.run_id, k.counted_in, t.line, t.number as score, json_extract_string(t.metadata, '$.metric') as metric,
        t.line < k.stop_line as is_before_stop,
        case when json_type(t.metadata, '$.' || k.counted_in) in ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE')
            then json_extract_string(t.metadata, '$.' || k.counted_in)::double end as counted
    from told t
    join kinds k using (file)
    where t.is_evaluation
), last_evaluation as (
    select run_id, min(line) filter (counted is null) as uncounted_line,
        arg_max(if(counted_in = 'epoch_num', round(counted, 3), counted), line) filter (is_before_stop) as converged,
        max(line) filter (is_before_stop) as line
    from evaluations
    group by run_id
), diffusion as (
    select run_id, min(step) filter (fid <= 90 and clip >= 0.15) as converged,
        min_by(line, step) filter (fid <= 90 and clip >= 0.15) as line,
        bool_or(fid is null or clip is null) as is_half
    from (
        select run_id, counted as step, arg_max(score, line) filter (metric = 'FID') as fid,
            arg_max(score, line) filter (metric = 'CLIP') as clip, max(line) as line
        from evaluations
        where is_before_stop
        group by run_id, counted
    )
    group by run_id
), samples as (
    select k.run_id, max(t.line) as line, arg_max_null(t.number, t.line) as counted
    from told t
    join kinds k using (file)
    where t.is_samples and t.line < k.stop_line
    group by k.run_id
), batches as (
    select file, arg_max_null(value, line) as value, arg_max_null(number, line) as number, max(line) as line
    from told
    where is_batch
    group by file
), lost as (
    select source_id as file, min(line) as line
    from problem
    where severity = 'warning'
        and regexp_matches(excerpt, ':::MLLOG .*(eval_accuracy|eval_error|global_batch_size|submission_benchmark|run_stop)')
    group by source_id
), scales as (
    select rule_set, benchmark, avg(mean) as mean from rcp_record group by all
), read as (
    select c.*, k.stop_line, k.status, k.without_status, k.counted_in, b.number as batch, b.value as batch_value,
        b.line as batch_line, s.counted as train_samples, s.line as samples_line, l.line as lost_line, e.uncounted_line,
        c.logged_benchmark = 'stable_diffusion' as is_diffusion,
        if(is_diffusion, d.converged, e.converged) as evaluated, if(is_diffusion, d.line, e.line) as evaluated_line, d.is_half,
        c.logged_benchmark = 'bert' and not coalesce(
                median(e.converged) over everything between r.mean / 10 and r.mean * 10, false)
            and coalesce(median(s.counted) over everything between r.mean / 10 and r.mean * 10, false) as is_in_samples
    from counted c
    join kinds k using (run_id)
    left join batches b on b.file = c.file
    left join last_evaluation e using (run_id)
    left join diffusion d using (run_id)
    left join samples s using (run_id)
    left join lost l on l.file = c.file
    left join scales r on r.rule_set = c.rule_set and r.benchmark = c.logged_benchmark
    window everything as (partition by c.result_set)
)
select run_id, result_set, run_number, path, rule_set, logged_benchmark as benchmark,
    if(batch_value[1] = '"', null, batch) as global_batch_size, batch_line,
    coalesce(status = 'success', false) as is_converged,
    case when status = 'success' then if(is_in_samples, train_samples, evaluated) end as converged,
    rcp_unit(logged_benchmark, if(is_in_samples, train_samples, evaluated)) as unit,
    if(is_in_samples, 'train_samples', counted_in) as counted_in,
    case when status is distinct from 'success' then stop_line when is_in_samples then samples_line
        else evaluated_line end as line,
    case when lost_line is not null then 'the record on line ' || lost_line || ' is damaged'
        when batch_line is not null and global_batch_size is null then 'global_batch_size on line ' || batch_line || ' is no number'
        when without_status > 0 then 'a run_stop has no status'
        when uncounted_line is not null and not is_in_samples
            then 'the evaluation on line ' || uncounted_line || ' has no number ' || counted_in
        when status <> 'success' or status is null then null
        when is_diffusion and is_half then 'an evaluation has not both FID and CLIP'
        when is_in_samples and train_samples is null then 'the last record that names train_samples has no number'
        when converged is null and is_diffusion then 'no evaluation reached the target, but run_stop says success'
        when converged is null then 'no evaluation stands before run_stop' end as fault
from read
