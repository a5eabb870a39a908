-- Runs that count, held against the target of their benchmark: the first evaluation that reaches every
-- metric's target. Runs of rounds or benchmarks whose target is not known are left out.
-- stored
-- run_id | - | run
-- target | - | the policy's target, in words
-- evaluations | - | evaluations in the log
-- passing | - | of these, how many reach the target
-- passing_line | - | line of the first that does
-- passing_min | min | from run_start to it; NULL across clocks
-- passing_value | of the metric | its value, with the metrics' names where there are several
-- last_line | - | line of the last evaluation
-- last_value | of the metric | of the last evaluation
with judged as (
    select r.run_id, p.metric, p.is_lower_better, p.target
    from run_result r
    join run_header h using (run_id)
    join evaluation_policy p on p.benchmark = r.benchmark and h.round_number between p.first_round and p.last_round
        and coalesce(r.global_batch_size, 0) >= p.least_batch_size
    where r.is_counted
    qualify row_number() over (partition by r.run_id, p.metric order by p.least_batch_size desc) = 1
), asked as (
    select run_id, count(*) as metrics, string_agg(case when metric = 'accuracy' then '' else metric || ' ' end
        || case when is_lower_better then 'at most ' else 'at least ' end || target, ' and ' order by metric) as target
    from judged
    group by run_id
), points as (
    select e.run_id, min(e.line) as line, min(e.minutes_since_start) as minutes,
        count(*) filter (case when j.is_lower_better then e.accuracy <= j.target else e.accuracy >= j.target end)
            as reached,
        string_agg(case when e.metric = 'accuracy' then '' else e.metric || ' ' end || e.accuracy, ', '
            order by e.metric) as said
    from evaluation e
    join judged j on j.run_id = e.run_id and j.metric = e.metric
    group by e.run_id, case when e.metric in ('FID', 'CLIP') then coalesce(e.samples_count, e.epoch_num, e.ordinal)
        else e.ordinal end
)
select a.run_id, any_value(a.target) as target, count(p.line) as evaluations,
    count(*) filter (p.reached >= a.metrics) as passing,
    min(p.line) filter (p.reached >= a.metrics) as passing_line,
    arg_min(p.minutes, p.line) filter (p.reached >= a.metrics) as passing_min,
    arg_min(p.said, p.line) filter (p.reached >= a.metrics) as passing_value,
    max(p.line) as last_line, arg_max(p.said, p.line) as last_value
from asked a
left join points p using (run_id)
group by a.run_id
