-- title: Batch size and scale
-- severity: info
-- applies to: result sets
-- basis: X6 of the cross-run rules; the rule of this project: a global batch is shared out evenly and does not shrink as a system grows
-- why: Accelerators that have no share of the batch count in the system, but do not train.
-- remedy: Say how the batch is shared out: model or spatial parallel, or nodes set aside for evaluation.
-- false positives: Spatial or model parallel training, nodes that only evaluate, accelerators of several cores.
with found as (
    select result_set, 'the global batch size of ' || global_batch_size::bigint
            || ' cannot be shared out evenly over ' || accelerators || ' accelerators' as message,
        global_batch_size as value, accelerators || ' accelerators' as limit_value
    from result_set
    where accelerators > 0 and global_batch_size % accelerators <> 0
    union all
    select l.result_set, 'the global batch size of ' || l.global_batch_size::bigint || ' is smaller than '
            || max(s.global_batch_size)::bigint || ' on fewer accelerators, ' || arg_max(o.system, s.global_batch_size),
        l.global_batch_size, max(s.global_batch_size)::bigint::varchar
    from scaling_base l
    join scaling_base s on s.ladder = l.ladder and s.scale < l.scale and s.global_batch_size > l.global_batch_size
    join result_set o on o.result_set = s.result_set
    group by l.result_set, l.global_batch_size
)
select f.result_set as subject, f.message, min(r.path) as path, arg_min(r.global_batch_size_line, r.path) as line,
    f.value::bigint::varchar as value, f.limit_value
from found f
join run_result r on r.result_set = f.result_set and r.is_counted
group by f.result_set, f.message, f.value, f.limit_value
