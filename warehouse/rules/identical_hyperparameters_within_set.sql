-- title: Identical hyperparameters within a result set
-- severity: error
-- applies to: result sets
-- basis: mlcommons/training_policies training_rules: the runs of a result set use the same hyperparameters; X2 of the cross-run rules
-- why: Runs of different settings are not repetitions, and their mean is the score of neither.
-- remedy: Run the odd ones again with the settings of the others, or submit the result set with one setting.
-- false positives: None seen in the published rounds v0.7 and v1.1; seeds and progress counters are left out.
select result_set as subject, reason as message, path, line, value, other_value as limit_value
from hyperparameter_difference
where scope = 'within set'
