-- title: Hyperparameters that the policy fixes
-- severity: error
-- applies to: result sets
-- basis: X4 of the cross-run rules; training_policies training_rules (2021-09-23, ebfe13f), Hyperparameters: the values of the table that are fixed to the reference
-- why: A fixed value that differs changes the task, not the scale.
-- remedy: Use the value of the reference implementation on every system and at every node count.
-- false positives: eval_samples one below the data set's size, from sharding over ranks. The open division may change them and is left out.
with odd as (
    select k.result_set, string_agg(k.key || ' is ' || k.value || ', not ' || k.fixed_value || ' (' || k.why || ')',
            '; ' order by k.key) as told,
        arg_min(k.path, k.key) as path, arg_min(k.line, k.key) as line,
        string_agg(k.value, '; ' order by k.key) as value, string_agg(k.fixed_value, '; ' order by k.key) as fixed
    from hyperparameter_kind k
    join result_set s using (result_set)
    where k.role = 'fixed' and s.division is distinct from 'open' and k.value is distinct from k.fixed_value
        and (try_cast(k.value as double) = try_cast(k.fixed_value as double)) is distinct from true
    group by k.result_set
)
select result_set as subject, told as message, path, line, value, fixed as limit_value
from odd
union all
select result_set, 'against ' || split_part(other_set, '/', 4) || ' (base): ' || string_agg(reason, '; ' order by key),
    arg_min(path, key), arg_min(line, key), string_agg(value, '; ' order by key),
    string_agg(other_value, '; ' order by key)
from hyperparameter_difference
where rule = 'policy_fixed_hyperparameters' and severity = 'error' and is_base and is_same_batch
    and result_set not in (select result_set from odd)
group by result_set, other_set
