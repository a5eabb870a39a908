-- title: Required number of runs
-- severity: graded
-- applies to: result sets
-- basis: mlcommons/training_policies training_rules, number of runs per benchmark; logging rcp_checker submission_runs
-- why: A mean over fewer runs is not the official score, and picking runs out of more is not allowed.
-- remedy: Add the missing result_<n>.txt files, or remove the ones that do not belong to the result set.
-- false positives: A result set of which part of the logs is not public.
select case when s.runs < s.runs_required then 'error' else 'warning' end as severity,
    s.result_set as subject,
    s.runs || ' runs, ' || s.runs_required || ' are required' as message,
    min(r.path) as path, arg_min(r.start_line, r.path) as line,
    s.runs::varchar as value, s.runs_required::varchar as limit_value
from result_set s
join run_result r using (result_set)
where s.runs <> s.runs_required and r.is_counted
group by s.result_set, s.runs, s.runs_required
