-- Reference convergence points of the rule sets and benchmarks of the loaded runs: what a submission's mean
-- is held against (mlcommons/logging rcp_checker, training_policies on reference convergence points).
-- rule_set | - | official rule set, such as training 1.1.0
-- benchmark | - | as the log names it
-- batch_size | samples | global batch size of the reference
-- mean | of unit | olympic mean of the reference's runs
-- stdev | of unit | population standard deviation of all its runs
-- min_mean | of unit | least mean of a submission that passes
-- runs | runs | of the reference
-- is_pruned | - | left out of the test, because others say that it converges too slowly
-- unit | - | epochs, samples, steps or tokens
-- record | - | name of the record in its file
-- path | - | file inside the official package
select rule_set, benchmark, batch_size, mean, stdev, min_mean, runs, is_pruned, rcp_unit(benchmark, mean) as unit,
    record, path
from rcp_record
