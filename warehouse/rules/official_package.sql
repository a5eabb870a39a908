-- title: Official package check
-- severity: graded
-- applies to: result sets
-- basis: mlcommons/logging package_checker; mlcommons/training_policies training_rules, number of runs per benchmark
-- why: It is the tool that a submission must pass; this sums up its parts for each result set.
-- remedy: See the findings of the parts: compliance, seeds, convergence, system description, power, number of files.
-- false positives: Those of the parts. A failure by seeds alone is a warning up to v1.1, whose tools did not demand them.
select case when o.verdict = 'pass' then 'info' when o.verdict = 'not judged' then 'warning'
        when s.version <= 1.1 and o.value = '1' and q.value = 'no seed' and q.verdict = 'fail' then 'warning'
        else 'error' end as severity,
    o.result_set as subject, o.reason || ' (' || o.rule_set || ')' as message, o.path, o.line, o.value, o.limit_value
from official_package o
join official_set s using (result_set)
join official_seeds q using (result_set)
where o.reason is not null and s.not_judged is null
