-- title: Official convergence test
-- severity: graded
-- applies to: result sets
-- basis: mlcommons/training_policies training_rules, section on reference convergence points; mlcommons/logging rcp_checker
-- why: A submission that converges faster than the reference may do other work than the benchmark asks for; its score does not count.
-- remedy: Check samples per epoch, learning rate and evaluation against the reference; for a batch size without a point, submit one; see rcp_point for what the rule set holds.
-- false positives: The package of today judges old rounds by pruned points and untrimmed deviations; --rules DIR names the rules of the day.
select case when o.verdict = 'pass' then 'info' else 'error' end as severity, o.result_set as subject,
    o.reason || case when o.verdict_full <> o.verdict and o.verdict_full in ('pass', 'fail')
        then '; with all points instead of the pruned ones: ' || o.verdict_full else '' end
        || ' (' || o.rule_set || ')' as message,
    o.path, o.line, o.value, o.limit_value
from official_rcp o
where o.verdict in ('fail', 'invalid input') or (o.verdict = 'pass' and contains(o.reason, 'passed using the bypass file'))
