-- title: Runs that did not converge
-- severity: graded
-- applies to: result sets
-- basis: mlcommons/training_policies training_rules, results: a run that did not converge is the slowest and is dropped; more than may be dropped means no score
-- why: Each such run uses up the slowest place, and one too many voids the result set.
-- remedy: Look at the last evaluation of the run; run again if more runs failed than may be dropped.
-- false positives: None known.
select case when s.runs - s.runs_converged > s.drops then 'error' else 'warning' end as severity,
    r.result_set as subject,
    'run ' || coalesce(r.run_number::varchar, '?') || ': ' || coalesce(r.reason, 'status ' || r.status)
        || ' (' || (s.runs - s.runs_converged) || ' of ' || s.runs || ' runs; ' || s.drops || ' may be dropped)'
        as message,
    r.path, coalesce(r.stop_line, r.accuracy_line, r.start_line) as line,
    r.final_accuracy::varchar as value, null::varchar as limit_value
from run_result r
join result_set s using (result_set)
where r.is_counted and not r.is_converged
