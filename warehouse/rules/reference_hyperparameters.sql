-- title: Hyperparameters unlike the reference's of the same batch size
-- severity: info
-- applies to: result sets
-- basis: X5 of the cross-run rules; mlcommons/logging rcp_checker, hyperparameters of the reference convergence points: information, no tool compares them
-- why: Where convergence is far from the reference, these are the first place to look.
-- remedy: None is due. Look here when the convergence test fails or passes by little.
-- false positives: Nearly all: most submissions tune schedule and warm-up. Left out: what scale explains, and steps that one side evidently counts in epochs.
with records as (
    select distinct s.result_set, c.rule_set, c.benchmark, c.record, c.hyperparameters
    from result_set s
    join run_result r on r.result_set = s.result_set and r.is_counted
    join run_rule_set a on a.run_id = r.run_id
    join rcp_record c on c.rule_set = a.rule_set and c.benchmark = s.benchmark and c.batch_size = s.global_batch_size
    where s.division = 'closed'
    qualify row_number() over (partition by s.result_set order by c.record) = 1
), asked as (
    select result_set, record, unnest(json_keys(hyperparameters)) as named, hyperparameters
    from records
), compared as (
    select a.result_set, a.record, k.key, k.value, k.line, k.path,
        json_extract_string(a.hyperparameters, '$."' || a.named || '"') as wanted
    from asked a
    join hyperparameter_kind k on k.result_set = a.result_set
        and k.key in (a.named, 'lars_' || a.named, 'sgd_' || a.named)
    where k.role not in ('batch_size', 'device_batch', 'accumulation', 'ignored') and k.key <> 'opt_name'
    qualify row_number() over (partition by a.result_set, a.named order by length(k.key)) = 1
)
select result_set as subject,
    'the reference record ' || any_value(record) || ' of this batch size has '
        || string_agg(key || ' ' || wanted || ', not ' || value, '; ' order by key) as message,
    arg_min(path, key) as path, arg_min(line, key) as line, string_agg(value, '; ' order by key) as value,
    string_agg(wanted, '; ' order by key) as limit_value
from compared
where value is distinct from wanted
    and (try_cast(value as double) = try_cast(wanted as double)) is distinct from true
    and lower(wanted) not in ('none', 'null')
    and not coalesce(key like '%steps' and try_cast(value as double) / try_cast(wanted as double) not between 0.05 and 20, false)
group by result_set
