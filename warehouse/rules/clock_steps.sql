-- title: Clocks that go back
-- severity: graded
-- applies to: result sets
-- basis: X10 of the cross-run rules; training_policies training_rules, Run Results: a run result is the time of a contiguous period
-- why: The time to train is a difference of two times. Where the clock steps or two hosts disagree, it may be wrong.
-- remedy: Keep the clocks of all hosts in step (NTP or PTP), and let one host log run_start and run_stop.
-- false positives: Left out: what may be logged afterwards with its true time (evaluations, checkpoints, run_stop) or at any time (throughput, statistics), and steps under 1 s, which ranks that write to one file cause. Each rank is looked at alone. In the header only submission_* and cache_clear count; an hour there is a note, no more.
with marks as (
    select e.run_id, e.line, e.time_ms, r.start_line, e.time_ms - max(e.time_ms) over (
        partition by e.run_id, e.clock, e.rank order by e.line rows between unbounded preceding and 1 preceding) as step_ms
    from event e
    join run_result r using (run_id)
    where r.is_counted and r.kind = 'logged' and e.key in ('epoch_start', 'epoch_stop', 'block_start', 'block_stop',
            'train_epoch', 'run_start')
        and e.line >= r.start_line and e.line < r.stop_line
), header as (
    select e.run_id, min(e.line) as line, max(e.time_ms) - min(e.time_ms) as step_ms
    from event e
    join run_result r using (run_id)
    where r.is_counted and r.kind = 'logged' and e.clock = 'epoch' and e.line < r.start_line
        and (e.key = 'cache_clear' or starts_with(e.key, 'submission_'))
    group by e.run_id
), steps as (
    select 'warning' as severity, run_id, arg_min(line, step_ms) as line, -min(step_ms) / 1000 as step_s
    from marks
    where step_ms < -1000
    group by run_id
    union all
    select 'info', run_id, line, step_ms / 1000 from header where step_ms > 3600000
)
select s.severity, r.result_set as subject,
    case s.severity when 'warning' then 'the clock goes back while training, by up to '
        else 'the header lines are of clocks that differ by up to ' end
        || case when max(step_s) < 600 then round(max(step_s), 1) || ' s' when max(step_s) < 172800
            then round(max(step_s) / 3600, 2) || ' h' else round(max(step_s) / 86400, 2) || ' days' end
        || ' (' || count(*) || ' run(s))' as message,
    arg_max(r.path, step_s) as path, arg_max(s.line, step_s) as line, round(max(step_s), 3) || ' s' as value,
    case s.severity when 'warning' then '1 s' else '3600 s' end as limit_value
from steps s
join run_result r using (run_id)
group by s.severity, r.result_set
