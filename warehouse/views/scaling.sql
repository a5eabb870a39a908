-- Scaling of every family with several scales: speed-up, efficiency, and where the loss comes from.
-- speed-up = base score / score; efficiency = speed-up / (scale / base scale); efficiency is the product
-- of throughput, convergence and overhead efficiency.
-- result_set | - | result set
-- collection | - | source.toml that governs its files, '' for none
-- round | - | such as v1.1
-- division | - | closed or open
-- organization | - | submitter
-- family | - | name for people
-- system | - | system under test
-- benchmark | - | folder name of the benchmark
-- benchmark_title | - | name for people
-- nodes | nodes | from the system description
-- accelerators | accelerators | from the system description
-- score_min | min | olympic mean, raw
-- base_set | - | result set of the base
-- base_system | - | system of the base
-- base_nodes | nodes | of the base
-- base_accelerators | accelerators | of the base
-- base_score_min | min | olympic mean of the base; plain mean where only that is known
-- growth | ratio | accelerators over those of the base; nodes where no accelerators are known
-- ideal_min | min | score if the family scaled perfectly from its base
-- speedup | ratio | base score over score
-- efficiency_pct | % | speed-up over growth in accelerators
-- throughput_efficiency_pct | % | training samples per second and accelerator against the base
-- convergence_efficiency_pct | % | samples to converge of the base over these
-- overhead_efficiency_pct | % | the rest: evaluation, start, gaps
-- epochs_to_converge | epochs | mean over the runs that count
-- base_epochs_to_converge | epochs | of the base
-- samples_to_converge | samples | mean over the runs that count
-- training_samples_per_s | samples/s | while training
-- global_batch_size | samples | NULL: not logged, or not the same in all runs
-- base_global_batch_size | samples | of the base
-- is_like_for_like | - | nothing that scale or batch size does not explain differs at an equal batch size; NULL: not known
-- note | - | what else changed between the two ends
-- is_printable | - | efficiency may stand in figures and tables: like for like, or every breach is waived
-- footnote | - | the waivers' reasons, where these let it be printed
-- verification | - | official or unverified; the weaker of the two ends
-- kind | - | logged or reconstructed
with waived as (
    select s.result_set, w.rule, arg_max(w.reason, length(w.subject)) as reason
    from waiver w
    join result_set s on w.subject in (s.result_set, split_part(s.result_set, '@', 1))
    where current_date between since and until
    group by s.result_set, w.rule
), compared as (
    select d.result_set,
        count(*) filter (is_base and severity = 'error' and is_same_batch) as breaches,
        count(*) filter (is_base and severity = 'error' and is_same_batch and w.reason is null)
            as unwaived_breaches,
        string_agg(distinct w.reason, ' ' order by w.reason)
            filter (is_base and severity = 'error' and is_same_batch) as footnote,
        string_agg(d.reason, '; ' order by severity, key) filter (is_base and severity <> 'info') as differences,
        string_agg(distinct other.system || ': ' || d.reason, '; ' order by other.system || ': ' || d.reason)
            filter (not is_base and severity <> 'info') as elsewhere
    from hyperparameter_difference d
    join result_set other on other.result_set = d.other_set
    left join waived w on w.result_set = d.result_set and w.rule = d.rule
    where d.scope = 'across node counts'
    group by d.result_set
), noted_below as (
    select d.other_set as result_set, string_agg(distinct larger.system || ': ' || d.reason, '; '
        order by larger.system || ': ' || d.reason) as elsewhere
    from hyperparameter_difference d
    join result_set larger on larger.result_set = d.result_set
    where d.scope = 'across node counts' and not d.is_base and d.severity <> 'info'
    group by d.other_set
), measured as (
    select b.*, s.* exclude (result_set, global_batch_size, accelerators, nodes),
        o.system as base_system, o.nodes as base_nodes, coalesce(o.score_min, o.mean_min) as base_min,
        coalesce(s.score_min, case when b.result_set = b.base_set then s.mean_min end) as own_min,
        o.samples_to_converge as base_samples, o.epochs_to_converge as base_epochs,
        o.training_samples_per_s as base_rate, o.verification as base_verification,
        c.breaches, c.differences, concat_ws('; ', c.elsewhere, n.elsewhere) as elsewhere,
        c.footnote, c.unwaived_breaches,
        exists (select 1 from hyperparameter_set h where h.result_set = b.base_set)
            and exists (select 1 from hyperparameter_set h where h.result_set = b.result_set) as is_known,
        b.global_batch_size is not null and b.base_global_batch_size is not null as has_batches
    from scaling_base b
    join score s using (result_set)
    join score o on o.result_set = b.base_set
    left join compared c on c.result_set = b.result_set
    left join noted_below n on n.result_set = b.result_set
), factors as (
    select *, scale / base_scale as growth, base_min / own_min as speedup,
        base_min / own_min / growth as efficiency,
        (training_samples_per_s / scale) / (base_rate / base_scale) as throughput,
        base_samples / samples_to_converge as convergence,
        case when result_set = base_set then true
            when coalesce(breaches, 0) > 0 then false
            when not is_known or not has_batches then null
            else true end as is_like_for_like
    from measured
)
select result_set, collection, round, division, organization, family, system, benchmark, benchmark_title,
    nodes, accelerators, score_min, base_set, base_system, base_nodes, base_accelerators,
    base_min as base_score_min, growth, base_min / growth as ideal_min, speedup, 100 * efficiency as efficiency_pct,
    case when convergence is not null then 100 * throughput end as throughput_efficiency_pct,
    case when throughput is not null then 100 * convergence end as convergence_efficiency_pct,
    100 * efficiency / (throughput * convergence) as overhead_efficiency_pct,
    epochs_to_converge, base_epochs as base_epochs_to_converge, samples_to_converge,
    training_samples_per_s, global_batch_size, base_global_batch_size, is_like_for_like,
    nullif(concat_ws('; ',
        reason,
        case when global_batch_size <> base_global_batch_size then 'global batch size '
            || base_global_batch_size::bigint || ' -> ' || global_batch_size::bigint end,
        differences,
        case when not is_known then 'hyperparameters of one end are not known'
            when result_set <> base_set and not has_batches
                then 'the global batch size of one end is not known, or not one' end,
        case when elsewhere <> '' then 'against other node counts: ' || elsewhere end), '') as note,
    is_like_for_like is distinct from false or unwaived_breaches = 0 as is_printable,
    case when is_like_for_like = false and unwaived_breaches = 0 then footnote end as footnote,
    case when 'unverified' in (verification, base_verification) then 'unverified' else verification end
        as verification,
    kind
from factors
