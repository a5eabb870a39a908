-- title: Identical hyperparameters within a result set
-- severity: error
-- applies to: result sets
-- basis: X2 of the cross-run rules; training_policies training_rules, Benchmark Results and section 2.2 (System and framework must be consistent): the runs of a result set are repetitions of one implementation
-- why: Runs of different settings are not repetitions, and their mean is the score of neither.
-- remedy: Run the odd ones again with the settings of the others, or submit the result set with one setting.
-- false positives: None seen in the published rounds v0.7 and v1.1; seeds and progress counters are left out.
select result_set as subject, string_agg(reason, '; ' order by key, value) as message,
    min(path) as path, arg_min(line, (path, line)) as line, string_agg(value, '; ' order by key, value) as value,
    string_agg(other_value, '; ' order by key, value) as limit_value
from hyperparameter_difference
where scope = 'within set'
group by result_set
