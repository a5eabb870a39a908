-- Official convergence test of each result set: whether it converged no faster than the reference, by its batch
-- size (mlcommons/logging rcp_checker). A run that did not converge is the slowest. BERT is counted in epoch_num
-- or train_samples, whichever is of the size of the reference.
-- stored
-- result_set | - | result set
-- verdict | - | pass, fail, invalid input (the official tool crashes on it) or not judged
-- reason | - | why, in one sentence
-- path | - | file of the evidence
-- line | - | its line; NULL: the file as a whole
-- value | - | what was found
-- limit_value | - | what it was held against
-- rule_set | - | official rule set that it was judged by
-- rule_set_version | - | package of the rules and its version
-- options | - | what else the verdict depends on
-- rcp_case | - | found, interpolated, missing, smaller batch, not converged, no batch size, no points; NULL: invalid input
-- global_batch_size | samples | logged last in every run; NULL: not logged, or not the same
-- mean_converged | of unit | olympic mean of what the runs took to converge
-- unit | - | epochs, samples, steps or tokens
-- reference_mean | of unit | mean of the reference; NULL: there is none
-- min_mean | of unit | least mean that passes; NULL: there is no reference
-- norm_factor | ratio | by which the score is multiplied where it is faster than the reference; NULL: there is none
-- has_bypass | - | a package_checker_params lets it pass all the same
-- verdict_full | - | with all points instead of the pruned ones, as in rounds before v2.0
with silent as (
    select result_set, min(path) as path, 'there is no record in result file ' || min(regexp_extract(path, '[^/!]+$')) as fault
    from official_compliance
    where run_id is null
    group by result_set
), judged as (
    select c.* exclude (path, line, fault), coalesce(e.path, c.path) as path, if(e.path is null, c.line, null) as line,
        coalesce(e.fault, c.fault) as fault, s.rule_set_version, s.has_rcp_bypass, s.bypass_path, s.is_closed,
        case when s.rule_set is null or (s.not_judged is not null and coalesce(e.fault, c.fault) is not null)
                then s.not_judged
            when not s.is_closed then 'only the closed division has its convergence tested'
            when c.fault is null and e.fault is null and c.rcp_case = 'no points' and exists (
                    select 1 from official_benchmark o where o.benchmark = c.benchmark)
                then 'the benchmark has no reference convergence points in ' || s.rule_set
        end as not_judged,
        coalesce(e.fault, c.fault, if(c.rcp_case = 'no points', 'no official benchmark is called ' || c.benchmark, null)) as crash,
        case when c.rcp_case = 'smaller batch' and not c.is_passed then 'missing' else c.rcp_case end as settled_case,
        s.has_rcp_bypass and not c.is_passed and c.rcp_case not in ('not converged', 'no batch size', 'no points')
            as is_bypassed,
        coalesce(c.is_passed, false) or is_bypassed as is_through
    from rcp_comparison c
    join official_set s using (result_set)
    left join silent e using (result_set)
), said as (
    select *,
        case when not_judged is not null then 'not judged' when crash is not null then 'invalid input'
            when is_through then 'pass' else 'fail' end as verdict,
        rcp_said(mean_converged) || ' ' || unit as mean_said, rcp_said(min_mean) || ' ' || unit as min_said
    from judged
)
select p.result_set, p.verdict,
    case p.verdict when 'not judged' then p.not_judged when 'invalid input' then p.crash
        else case p.settled_case
            when 'no batch size' then 'no global_batch_size is logged'
            when 'not converged' then p.runs_not_converged || ' runs did not converge, more than may be dropped'
            when 'missing' then 'no reference point for batch size ' || p.global_batch_size::bigint
                || case when p.reference_mean is null then ', which is larger than all'
                    else ', and faster than the smallest: ' || coalesce(p.mean_said, 'too few runs') || ' against ' || p.min_said end
            when 'smaller batch' then 'batch size ' || p.global_batch_size::bigint || ' is smaller than all reference points: '
                || p.mean_said || ' is no faster than the smallest allows'
            else coalesce(p.mean_said, 'too few runs for a mean') || if(p.is_passed, ' is no faster than ', ' is faster than ')
                || 'the reference allows at batch size ' || p.global_batch_size::bigint
                || if(p.settled_case = 'interpolated', ', between two reference points', '') end
            || if(p.is_bypassed, '; passed using the bypass file ' || p.bypass_path, '') end as reason,
    p.path, p.line, p.mean_said as value, p.min_said as limit_value, p.rule_set, p.rule_set_version,
    'pruned points; unit ' || p.counted_in || '; bypass: ' || if(p.has_rcp_bypass, p.bypass_path, 'none') as options,
    if(p.crash is null, p.settled_case, null) as rcp_case, p.global_batch_size, p.mean_converged, p.unit,
    p.reference_mean, p.min_mean, if(p.reference_mean is null, null, p.norm_factor) as norm_factor,
    p.has_rcp_bypass as has_bypass, f.verdict as verdict_full
from said p
join said f on f.result_set = p.result_set and not f.is_pruned
where p.is_pruned
