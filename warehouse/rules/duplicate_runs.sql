-- title: The same run submitted twice
-- severity: error
-- applies to: result sets
-- basis: X1 of the cross-run rules; training_policies training_rules, Benchmark Results: a result is made of a number of runs (a later round may take a result again, with a notice)
-- why: A copied log counts one execution twice, or one system's result as another's.
-- remedy: Replace the copies by the logs of their own runs.
-- false positives: One submission published under several names. Only logs that count are compared, within one round, over all paths and archives.
select c.result_set as subject,
    case when count(*) = 1 then 'the log has ' else count(*) || ' logs have ' end
        || case any_value(p.method) when 'bytes' then 'the same bytes as '
            else 'other bytes, but the same times of run_start and run_stop as ' end
        || case when count(*) = 1 then '' else 'logs of ' || o.result_set || ', the first as ' end
        || arg_min(o.path, c.path) as message,
    min(c.path) as path, case p.method when 'bytes' then 1 else arg_min(c.start_line, c.path) end as line,
    count(*)::varchar as value, '0' as limit_value
from copied_run p
join run_result c on c.run_id = p.run_id
join run_result o on o.run_id = p.original_id
group by c.result_set, o.result_set, p.method
