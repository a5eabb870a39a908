-- title: Identical hyperparameters across node counts
-- severity: graded
-- applies to: result sets
-- basis: the rule of this project; training_policies training_rules, Hyperparameters, lets values that belong to the batch size change with it
-- why: Scaling compares two ends of one system. What else changed between them is not scaling.
-- remedy: Run both ends with the same settings, or write a waiver with the reason and print it as a footnote.
-- false positives: Settings that only look different; values are compared as numbers, keys that one side does not log are not compared.
select severity, result_set as subject,
    'against ' || split_part(other_set, '/', 4) || case when is_base then ' (base)' else '' end || ': '
        || string_agg(reason, '; ' order by key) as message,
    arg_min(path, key) as path, arg_min(line, key) as line, string_agg(value, '; ' order by key) as value,
    string_agg(other_value, '; ' order by key) as limit_value
from hyperparameter_difference
where scope = 'across node counts' and severity <> 'info'
    and rule = 'identical_hyperparameters_across_nodes'
group by severity, result_set, other_set, is_base
