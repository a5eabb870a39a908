-- title: run_stop not after run_start
-- severity: error
-- applies to: result sets
-- basis: X9 of the cross-run rules; training_policies training_rules, Run Results: a run result is the time of a contiguous period
-- why: Such a run has no time to train, and the official tools score it all the same.
-- remedy: Look at the clocks of the hosts that logged the two; run again.
-- false positives: None known.
select result_set as subject,
    'run ' || coalesce(run_number::varchar, '?') || ': ' || case when stop_ms <= start_ms
        then 'run_stop is ' || round((start_ms - stop_ms) / 1000, 3) || ' s before run_start'
        else 'run_start and run_stop are of different clocks' end as message,
    path, stop_line as line, stop_ms::bigint::varchar as value, start_ms::bigint::varchar as limit_value
from run_result
where is_counted and reason in ('run_stop is not after run_start', 'run_start and run_stop are of different clocks')
