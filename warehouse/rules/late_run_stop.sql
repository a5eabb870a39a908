-- title: run_stop long after the target was reached
-- severity: warning
-- applies to: result sets
-- basis: X13 of the cross-run rules; training_policies training_rules, Run Results: the clock may be stopped as soon as the target is reached
-- why: A run that goes on after the target has a time to train that is too long, or an evaluation that was not to count.
-- remedy: Log run_stop when the first evaluation reaches the target.
-- false positives: minigo and bert, which may evaluate afterwards, are left out, and so is the open division.
select r.result_set as subject,
    count(*) || ' run(s) stop more than 30 s after the first evaluation that reaches the target: up to '
        || round(max((r.time_to_train_min - e.passing_min) * 60), 1) || ' s' as message,
    arg_max(r.path, r.time_to_train_min - e.passing_min) as path,
    arg_max(r.stop_line, r.time_to_train_min - e.passing_min) as line,
    round(max((r.time_to_train_min - e.passing_min) * 60), 1) || ' s' as value, '30 s' as limit_value
from evaluated_run e
join run_result r using (run_id)
where (r.time_to_train_min - e.passing_min) * 60 > 30 and r.kind = 'logged'
    and r.benchmark not in ('minigo', 'bert') and r.division is distinct from 'open'
group by r.result_set
