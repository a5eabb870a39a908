-- The score of each result set: olympic mean (official), and the plain mean that white papers print.
-- stored
-- result_set | - | result set
-- collection | - | source.toml that governs its files, '' for none
-- round | - | such as v1.1
-- division | - | closed or open
-- organization | - | submitter
-- system | - | system under test
-- benchmark | - | folder name of the benchmark
-- benchmark_title | - | name for people
-- nodes | nodes | from the system description
-- accelerators | accelerators | from the system description
-- accelerator_model | - | from the system description
-- runs | runs | that belong to it
-- runs_converged | runs | that reached the target
-- runs_required | runs | by the rules of the benchmark; NULL: not known
-- runs_dropped | runs | left out of the olympic mean
-- score_min | min | olympic mean of time to train, raw; NULL with a reason
-- score_scaled_min | min | score_min times scaling_factor, the official score from round v2.0 on
-- scaling_factor | ratio | from scaling.json; NULL: none
-- mean_min | min | plain mean over the converged runs
-- fastest_min | min | fastest converged run
-- slowest_min | min | slowest converged run
-- reason | - | why there is no score, else NULL
-- epochs_to_converge | epochs | mean over the runs that count
-- samples_to_converge | samples | mean over the runs that count
-- sample | - | what one sample is
-- overall_samples_per_s | samples/s | mean over the runs that count: samples over time to train
-- training_samples_per_s | samples/s | mean over the runs that count: while training
-- first_epoch_samples_per_s | samples/s | mean over the runs that count: first epoch
-- global_batch_size | samples | NULL: not logged, or not the same in all runs
-- first_started_at | UTC | earliest run_start
-- verification | - | official or unverified
-- kind | - | logged or reconstructed
with means as (
    select s.result_set, count(*) filter (not s.is_kept) as runs_dropped,
        avg(s.time_to_train_min order by s.place) filter (s.is_kept) as olympic_min,
        avg(s.time_to_train_min order by s.place) filter (s.is_converged) as mean_min,
        min(s.time_to_train_min) filter (s.is_converged) as fastest_min,
        max(s.time_to_train_min) filter (s.is_converged) as slowest_min,
        avg(r.epochs_to_converge order by s.place) filter (s.is_kept) as epochs_to_converge,
        avg(r.samples_to_converge order by s.place) filter (s.is_kept) as samples_to_converge,
        any_value(r.sample) as sample,
        avg(t.overall_samples_per_s order by s.place) filter (s.is_kept) as overall_samples_per_s,
        avg(t.training_samples_per_s order by s.place) filter (s.is_kept) as training_samples_per_s,
        avg(t.first_epoch_samples_per_s order by s.place) filter (s.is_kept) as first_epoch_samples_per_s
    from scored_run s
    join run_result r using (run_id)
    join throughput t using (run_id)
    group by s.result_set
), judged as (
    select s.*,
        case when s.runs - s.runs_converged > s.drops then (s.runs - s.runs_converged) || ' of '
                || s.runs || ' runs did not converge, more than the ' || s.drops || ' that may be dropped'
            when s.runs < coalesce(s.runs_required, 0) then s.runs || ' of ' || s.runs_required || ' runs'
            when s.runs <= 2 * s.drops then s.runs || ' runs are too few for an olympic mean'
            when s.benchmark is null then 'the benchmark is not known'
        end as reason
    from result_set s
), factors as (
    select collection, round, organization, system, benchmark, max(factor) as factor
    from scaling_factor group by all
)
select j.result_set, j.collection, j.round, j.division, j.organization, j.system, j.benchmark,
    j.benchmark_title, j.nodes, j.accelerators, d.accelerator_model, j.runs, j.runs_converged,
    j.runs_required, m.runs_dropped,
    case when j.reason is null then m.olympic_min end as score_min,
    case when j.reason is null then m.olympic_min * coalesce(f.factor, 1) end as score_scaled_min,
    f.factor as scaling_factor, m.mean_min, m.fastest_min, m.slowest_min, j.reason,
    m.epochs_to_converge, m.samples_to_converge, m.sample, m.overall_samples_per_s,
    m.training_samples_per_s, m.first_epoch_samples_per_s, j.global_batch_size, j.first_started_at,
    j.verification, j.kind
from judged j
join means m using (result_set)
left join factors f on f.collection = j.collection and f.system = j.system
    and f.benchmark = j.benchmark and f.round is not distinct from j.round
    and f.organization is not distinct from j.organization
left join system_scale d on d.collection = j.collection and d.system = j.system
    and d.round is not distinct from j.round and d.organization is not distinct from j.organization
