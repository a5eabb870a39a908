-- title: Hyperparameters that the policy fixes
-- severity: error
-- applies to: result sets
-- basis: mlcommons/training_policies training_rules (2021-09-23), table of hyperparameters: values that may not be tuned
-- why: A fixed value that differs between node counts changes the task, not the scale.
-- remedy: Use the value of the reference implementation at every node count.
-- false positives: eval_samples one below the data set's size, from sharding over ranks.
select result_set as subject, 'against ' || split_part(other_set, '/', 4) || ': ' || reason as message,
    path, line, value, other_value as limit_value
from hyperparameter_difference
where rule = 'policy_fixed_hyperparameters' and severity <> 'info'
