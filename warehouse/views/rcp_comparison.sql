-- The runs of each result set against the reference convergence points of its batch size, twice: with the
-- pruned points, as the official package checker does, and with all, as rounds before v2.0 did. Whatever the
-- division; official_rcp says what of it is a verdict.
-- result_set | - | result set
-- is_pruned | - | only points that are not pruned count
-- rule_set | - | official rule set that it is judged by; NULL: none
-- benchmark | - | submission_benchmark in the logs
-- rcp_case | - | found, interpolated, missing, smaller batch, not converged, no batch size, no points or none
-- global_batch_size | samples | logged last in every run; NULL: not logged, or not the same
-- mean_converged | of unit | olympic mean of what the runs took to converge; NULL: too few runs
-- unit | - | epochs, samples, steps or tokens
-- counted_in | - | where it stands in the log
-- reference_mean | of unit | of the reference point that it is held against
-- min_mean | of unit | least mean that passes
-- norm_factor | ratio | by which the score is multiplied where it is faster than the reference
-- is_passed | - | the test is passed
-- fault | - | why the official tool crashes; NULL: it does not
-- runs_not_converged | runs | counted as the slowest
-- path | - | file of the run that decides
-- line | - | its last evaluation
with placed as (
    select *, row_number() over (partition by result_set order by coalesce(converged, 1e9), run_number, run_id) as place,
        if(benchmark = 'unet3d', 4, 1) as drops, count(*) over (partition by result_set) as runs
    from rcp_run
), judged as (
    select result_set, any_value(rule_set) as rule_set, any_value(benchmark) as benchmark, any_value(unit) as unit,
        any_value(counted_in) as counted_in, any_value(drops) as drops, any_value(runs) as runs,
        any_value(global_batch_size) as batch, count(*) filter (not is_converged) as runs_not_converged,
        avg(coalesce(converged, 1e9) order by place) filter (place > drops and place <= runs - drops) as mean_converged,
        case when count(*) filter (fault is not null) > 0
                then 'run ' || coalesce(arg_min(run_number, place) filter (fault is not null)::varchar, '?') || ': '
                    || arg_min(fault, place) filter (fault is not null)
            when count(distinct benchmark) > 1 or count(benchmark) not in (0, count(*))
                then 'the runs name different benchmarks: ' || string_agg(distinct coalesce(benchmark, 'none'), ', ' order by coalesce(benchmark, 'none'))
            when count(benchmark) = 0 then 'the logs name no benchmark'
            when count(distinct global_batch_size) > 1 or count(global_batch_size) not in (0, count(*))
                then 'the runs have different global batch sizes: ' || string_agg(distinct coalesce(global_batch_size::bigint::varchar, 'none'), ', ' order by coalesce(global_batch_size::bigint::varchar, 'none'))
        end as fault,
        case when count(*) filter (fault is not null) > 0
                then {'path': arg_min(path, place) filter (fault is not null), 'line': null::bigint}
            when count(distinct benchmark) > 1 or count(distinct global_batch_size) > 1
                    or count(global_batch_size) not in (0, count(*))
                then {'path': arg_max(path, place), 'line': arg_max_null(batch_line, place)}
            when count(*) filter (not is_converged) > any_value(drops)
                then {'path': arg_min(path, place) filter (not is_converged), 'line': arg_min_null(line, place) filter (not is_converged)}
            else {'path': arg_min(path, abs(place - drops - 1)), 'line': arg_min_null(line, abs(place - drops - 1))}
        end as evidence
    from placed
    group by result_set
), points as (
    select j.result_set, s.is_pruned, j.batch,
        arg_max(p, p.batch_size) filter (p.batch_size = j.batch) as exact,
        arg_max(p, p.batch_size) filter (p.batch_size < j.batch) as low,
        arg_min(p, p.batch_size) filter (p.batch_size > j.batch) as high,
        arg_min(p, p.batch_size) as least
    from judged j
    cross join (values (true), (false)) as s (is_pruned)
    join rcp_record p on p.rule_set = j.rule_set and p.benchmark = j.benchmark and not (s.is_pruned and p.is_pruned)
    group by all
), cases as (
    select j.*, s.is_pruned, p.* exclude (result_set, is_pruned, batch), o.interpolation_factor,
        case when p.least is null then 'no points'
            when j.batch is null then 'no batch size'
            when j.runs_not_converged > j.drops then 'not converged'
            when exact is not null then 'found'
            when low is not null and high is not null then 'interpolated'
            when low is not null then 'missing'
            else 'smaller batch' end as rcp_case,
        (j.batch - low.batch_size) / (high.batch_size - low.batch_size) as share
    from judged j
    cross join (values (true), (false)) as s (is_pruned)
    left join points p on p.result_set = j.result_set and p.is_pruned = s.is_pruned
    left join rule_set r on r.rule_set = j.rule_set
    left join official_benchmark o on o.usage = r.usage and o.benchmark = j.benchmark
), references_ as (
    select *,
        case rcp_case when 'found' then exact.mean when 'smaller batch' then least.mean
            when 'interpolated' then (high.mean - low.mean) / (high.batch_size - low.batch_size) * (batch - low.batch_size) + low.mean
        end as reference_mean,
        case rcp_case when 'found' then exact.min_mean when 'smaller batch' then least.min_mean
            when 'interpolated' then rcp_least_mean(reference_mean, low.stdev + (high.stdev - low.stdev) / (high.batch_size - low.batch_size) * (batch - low.batch_size), interpolation_factor)
        end as searched_mean,
        searched_mean - if(benchmark = 'llama31_405b' and split_part(rule_set, ' ', 2) >= '5.0.0', 46080, 0) as allowed_mean
    from cases
)
select result_set, is_pruned, rule_set, benchmark, rcp_case, batch as global_batch_size,
    if(runs > 2 * drops, mean_converged, null) as mean_converged, unit, counted_in, reference_mean,
    reference_mean / (reference_mean / allowed_mean) as min_mean,
    greatest(1, reference_mean / mean_converged) as norm_factor,
    coalesce(mean_converged >= min_mean, false) as is_passed, fault, runs_not_converged,
    evidence.path as path, evidence.line as line
from references_
