-- title: Result set of more than a week
-- severity: info
-- applies to: result sets
-- basis: X23 of the cross-run rules: from the first run_start to the last run_stop in more than 7 days
-- why: In a week, software, settings and hosts change; the set of the learning rate that changed took 5 days.
-- remedy: Compare the settings and hosts of the first and the last run.
-- false positives: Long queues; runs of a day each.
select result_set as subject,
    'the runs go over ' || round((max(stop_ms) - min(start_ms)) / 86400000, 1) || ' days, from '
        || strftime(min(started_at), '%Y-%m-%d') || ' (run ' || coalesce(arg_min(run_number, start_ms)::varchar, '?')
        || ') to ' || strftime(max(started_at), '%Y-%m-%d') || ' (run '
        || coalesce(arg_max(run_number, start_ms)::varchar, '?') || ')' as message,
    arg_max(path, start_ms) as path, arg_max(start_line, start_ms) as line,
    round((max(stop_ms) - min(start_ms)) / 86400000, 1) || ' days' as value, '7 days' as limit_value
from run_result
where is_counted and kind = 'logged' and started_at is not null and stop_ms is not null
group by result_set
having max(stop_ms) - min(start_ms) > 7 * 86400000.0
