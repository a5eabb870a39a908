-- title: Official seed check
-- severity: graded
-- applies to: result sets
-- basis: mlcommons/training_policies training_rules, section on random seeds; mlcommons/logging package_checker/seed_checker.py
-- why: Runs from one seed are one run several times, and a seed that is not logged cannot be told from a chosen one.
-- remedy: Log each run's seed with mllog (key seed, an integer, with file and lineno), and give every run another.
-- false positives: The tools of rounds up to v1.1 did not demand a seed, hence a warning there; fixed lists of seeds are legal across result sets.
select case when o.verdict = 'pass' then 'info' when o.value = 'no seed' and s.version <= 1.1 then 'warning'
        else 'error' end as severity,
    o.result_set as subject, o.reason || ' (' || o.rule_set || ')' as message, o.path, o.line, o.value, o.limit_value
from official_seeds o
join official_set s using (result_set)
where o.verdict <> 'not judged' and o.reason is not null
