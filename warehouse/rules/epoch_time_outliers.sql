-- title: Runs of another pace than the rest of their set
-- severity: warning
-- applies to: result sets
-- basis: X12 of the cross-run rules: time per sample more than 10 % from the result set's median, runs over 5 minutes
-- why: The runs of a result set are one experiment. Another pace means another load, clock or host.
-- remedy: Compare hosts, power limits and data paths of the runs; run the odd ones again.
-- false positives: Short runs, in which the start weighs more, are left out. Evaluation late in a long run.
with paced as (
    select result_set, run_number, path, stop_line, time_to_train_min,
        time_to_train_min / samples_to_converge as pace,
        median(time_to_train_min / samples_to_converge) over (partition by result_set) as middle,
        count(*) over (partition by result_set) as runs
    from run_result
    where is_counted and is_converged and samples_to_converge > 0 and kind = 'logged'
), odd as (
    select *, 100 * (pace / middle - 1) as off_pct
    from paced
    where runs >= 3 and time_to_train_min > 5 and abs(pace / middle - 1) > 0.1
)
select result_set as subject,
    count(*) || ' of ' || any_value(runs) || ' runs take more than 10 % more or less time for a sample than the median'
        || ' run: up to ' || printf('%+.1f', arg_max(off_pct, abs(off_pct))) || ' % (run '
        || coalesce(arg_max(run_number, abs(off_pct))::varchar, '?') || ')' as message,
    arg_max(path, abs(off_pct)) as path, arg_max(stop_line, abs(off_pct)) as line,
    printf('%+.1f', arg_max(off_pct, abs(off_pct))) || ' %' as value, '10 %' as limit_value
from odd
group by result_set
