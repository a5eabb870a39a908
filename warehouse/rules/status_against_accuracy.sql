-- title: Status against accuracy
-- severity: graded
-- applies to: result sets
-- basis: X15 of the cross-run rules; training_policies training_rules, Benchmarks and Quality measure: each run must reach the target
-- why: The status decides whether a run counts; the accuracy decides whether it may.
-- remedy: Look at the evaluations of the run; log the status that they give.
-- false positives: In the open division the submitter may set another target: a warning there.
select case r.division when 'open' then 'warning' else 'error' end as severity, r.result_set as subject,
    'run ' || coalesce(r.run_number::varchar, '?') || ': ' || case when r.status = 'success'
        then 'status success, but no evaluation reaches the target, ' || e.target || coalesce(': the last is '
            || e.last_value, ': there is none')
        else 'status aborted, but an evaluation reaches the target, ' || e.target || ': ' || e.passing_value end
        as message,
    r.path, coalesce(case when r.status = 'success' then e.last_line else e.passing_line end, r.stop_line) as line,
    case when r.status = 'success' then e.last_value else e.passing_value end as value, e.target as limit_value
from evaluated_run e
join run_result r using (run_id)
where r.kind = 'logged' and ((r.status = 'success' and e.passing = 0) or (r.status = 'aborted' and e.passing > 0))
