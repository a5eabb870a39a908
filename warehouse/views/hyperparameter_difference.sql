-- Hyperparameters that are not the same where they should be: within a result set, and between the
-- node counts of a family. Keys that only one side logs are not compared.
-- stored
-- scope | - | within set, across node counts
-- severity | - | error, warning; info: explained by scale or batch size
-- rule | - | the rule that reports it
-- result_set | - | result set, the larger scale of the two
-- other_set | - | the same, or the smaller scale it is compared with
-- is_base | - | other_set is the base of the scaling row
-- is_same_batch | - | both have the same global batch size
-- key | - | as logged
-- value | - | in result_set; within a set: the rarer value
-- other_value | - | in other_set; within a set: the most frequent value
-- is_explained | - | scale or batch size explains it
-- reason | - | in words
-- line | - | where value stands
-- path | - | file
-- other_line | - | where other_value stands
-- other_path | - | file
with within as (
    select k.result_set, k.key, h.value, k.value as other_value, k.why,
        count(*) as runs, arg_min(h.line, h.path) as line, min(h.path) as path,
        k.line as other_line, k.path as other_path
    from hyperparameter_kind k
    join hyperparameter h on h.result_set = k.result_set and h.key = k.key
    join run_result r on r.run_id = h.run_id and r.is_counted
    where k.role <> 'ignored' and h.value is distinct from k.value
    group by all
), pairs as (
    select a.result_set, b.result_set as other_set, b.result_set = a.base_set as is_base,
        coalesce(a.global_batch_size = b.global_batch_size, false) as is_same_batch,
        a.global_batch_size as batch, b.global_batch_size as other_batch,
        a.accelerators, b.accelerators as other_accelerators
    from scaling_base a
    join scaling_base b on a.ladder = b.ladder and a.scale > b.scale
    where b.result_set = a.base_set or a.global_batch_size = b.global_batch_size
), different as (
    select p.*, x.key, x.value, y.value as other_value, x.role, x.why, x.line, x.path,
        y.line as other_line, y.path as other_path,
        case x.role when 'device_batch' then not p.is_same_batch
                or try_cast(x.value as double) <= try_cast(y.value as double)
            when 'accumulation' then p.batch / (p.accelerators * try_cast(x.value as double))
                = p.other_batch / (p.other_accelerators * try_cast(y.value as double))
            when 'batch' then not p.is_same_batch
            else false end as is_explained
    from pairs p
    join hyperparameter_kind x on x.result_set = p.result_set
    join hyperparameter_kind y on y.result_set = p.other_set and y.key = x.key
    where x.value is distinct from y.value and x.role not in ('ignored', 'batch_size')
)
select 'within set' as scope, 'error' as severity, 'identical_hyperparameters_within_set' as rule,
    result_set, result_set as other_set, false as is_base, true as is_same_batch, key, value,
    other_value, false as is_explained,
    key || ' is ' || value || ' in ' || runs || ' run(s), ' || other_value || ' in the others' as reason,
    line, path, other_line, other_path
from within
union all
select 'across node counts',
    case when coalesce(is_explained, false) then 'info'
        when role = 'fixed' then 'error'
        when is_base and is_same_batch then 'error'
        else 'warning' end,
    case when role = 'fixed' then 'policy_fixed_hyperparameters'
        else 'identical_hyperparameters_across_nodes' end,
    result_set, other_set, is_base, is_same_batch, key, value, other_value,
    coalesce(is_explained, false),
    key || ' ' || other_value || ' -> ' || value
        || case when coalesce(is_explained, false) then ' (' || coalesce(why, 'explained by scale') || ')'
            when role = 'fixed' then ' (' || why || ')'
            when is_same_batch then ' at equal global batch size ' || batch::bigint
            else '' end,
    line, path, other_line, other_path
from different
