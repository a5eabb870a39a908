-- Training samples per second of each run, three ways, and what the log itself says.
-- run_id | - | run
-- overall_samples_per_s | samples/s | samples to converge over time to train
-- training_samples_per_s | samples/s | samples to converge over the time inside training intervals; NULL where these cover under 75 % of the time to train, or more than all of it
-- first_epoch_samples_per_s | samples/s | first epoch interval, whatever its logged number
-- logged_samples_per_s | samples/s | mean of the logged throughput, a cross-check
-- training_min | min | time inside training intervals up to convergence
-- definition | - | how training_samples_per_s was made
with training as (
    select e.run_id, sum(e.minutes order by e.ordinal) as minutes, count(*) as intervals, any_value(e.interval) as interval,
        any_value(e.samples_per_s) filter (e.ordinal = 1) as first_rate
    from epoch e
    join run_result r using (run_id)
    where r.epochs_to_converge is null or e.epoch_num is null or e.ordinal = 1
        or e.epoch_num <= r.epochs_to_converge
    group by e.run_id
), logged as (
    select run_id, avg(coalesce(number, try_cast(json_extract_string(value, '$.throughput') as double))
        order by line, number) as rate
    from event
    where key = 'throughput' or (key = 'tracked_stats' and value like '%"throughput"%')
    group by run_id
)
select r.run_id,
    r.samples_to_converge / (r.time_to_train_min * 60) as overall_samples_per_s,
    case when is_plausible then r.samples_to_converge / (t.minutes * 60) end as training_samples_per_s,
    case when is_plausible and t.intervals > 1 then t.first_rate end as first_epoch_samples_per_s,
    l.rate as logged_samples_per_s,
    case when is_plausible then t.minutes end as training_min,
    case when is_plausible and r.samples_to_converge is not null
        then 'samples to converge over the time of ' || t.intervals || ' ' || t.interval
            || case when t.intervals = 1 then ' interval' else ' intervals' end
    end as definition
from run_result r
left join (
    select t.*, t.minutes between 0.75 * r.time_to_train_min and 1.02 * r.time_to_train_min as is_plausible
    from training t
    join run_result r using (run_id)
) t using (run_id)
left join logged l using (run_id)
