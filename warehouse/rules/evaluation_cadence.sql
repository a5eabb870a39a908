-- title: Evaluations at the intervals of the policy
-- severity: error
-- applies to: result sets
-- basis: X14 of the cross-run rules; training_policies training_rules, Quality measure, evaluation frequency: resnet every 4 epochs, unet3d every 20, ssd every 5 in v1.0 and v1.1, the others every epoch or 1/20 of one
-- why: Who evaluates less often saves the time of evaluation; who evaluates more often stops earlier.
-- remedy: Evaluate at the intervals of the policy; the first evaluation may be at any offset.
-- false positives: An evaluation whose record is lost. The policy asks for at least as many evaluations: more of them may be accepted. Benchmarks that do not count in epochs, ssd before v1.0, whose intervals change, and the open division are left out.
with points as (
    select e.run_id, e.epoch_num, min(e.line) as line, any_value(r.result_set) as result_set,
        any_value(r.path) as path, any_value(r.run_number) as run_number,
        any_value(h.round_number) as round_number, any_value(r.benchmark) as benchmark
    from evaluation e
    join run_result r using (run_id)
    join run_header h using (run_id)
    where r.is_counted and e.epoch_num is not null and r.division is distinct from 'open'
    group by e.run_id, e.epoch_num
), steps as (
    select *, epoch_num - lag(epoch_num) over (partition by run_id order by epoch_num) as epochs,
        lead(epoch_num) over (partition by run_id order by epoch_num) is null as is_last
    from points
), odd as (
    select s.*, p.epochs_between
    from steps s
    join (select distinct benchmark, first_round, last_round, epochs_between from evaluation_policy
        where epochs_between is not null) p
        on p.benchmark = s.benchmark and s.round_number between p.first_round and p.last_round
    where abs(s.epochs / p.epochs_between - 1) > 0.02 and not (s.is_last and s.epochs < p.epochs_between)
)
select result_set as subject,
    count(distinct run_id) || ' run(s) evaluate at other intervals than the policy: ' || round(arg_min(epochs, (path, line)), 4)
        || ' epochs to the one at epoch ' || round(arg_min(epoch_num, (path, line)), 4) || ', not '
        || any_value(epochs_between) || ' (' || count(*) || ' interval(s))' as message,
    min(path) as path, arg_min(line, (path, line)) as line,
    round(arg_min(epochs, (path, line)), 4)::varchar as value, any_value(epochs_between)::varchar as limit_value
from odd
group by result_set
