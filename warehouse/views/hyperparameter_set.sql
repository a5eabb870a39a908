-- Hyperparameters of each result set: the value that most of its runs have.
-- stored
-- result_set | - | result set
-- key | - | as logged
-- value | - | most frequent value over the runs that count
-- values_count | - | number of different values over these runs; NULL counts as none
-- runs | runs | that log the key
-- line | - | where the value stands in one of the runs
-- path | - | that run's file
select h.result_set, h.key, mode(h.value order by h.value) as value,
    count(distinct h.value) as values_count, count(*) as runs,
    arg_min(h.line, h.path) as line, min(h.path) as path
from hyperparameter h
join run_result r using (run_id)
where r.is_counted
group by h.result_set, h.key
