-- The role of each hyperparameter of each result set in a comparison.
-- stored
-- result_set | - | result set
-- key | - | as logged
-- value | - | most frequent value over its runs
-- role | - | see hyperparameter_role; setting: no row matches, so nothing explains a difference
-- why | - | reason
-- fixed_value | - | the only value that the policy allows; NULL: not fixed
-- line | - | where the value stands in one of the runs
-- path | - | that run's file
select h.result_set, h.key, h.value, coalesce(r.role, 'setting') as role, r.why, r.fixed_value, h.line, h.path
from hyperparameter_set h
join result_set s using (result_set)
left join hyperparameter_role r on coalesce(s.benchmark, '') like r.benchmark and h.key like r.pattern
qualify row_number() over (partition by h.result_set, h.key order by r.place) = 1
