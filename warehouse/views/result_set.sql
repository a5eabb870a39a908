-- One row per result set: the runs of one benchmark on one system by one submitter.
-- stored
-- result_set | - | round/division/organization/system/benchmark, with @collection where there is one
-- collection | - | source.toml that governs its files, '' for none
-- round | - | such as v1.1
-- division | - | closed or open
-- organization | - | submitter
-- system | - | system under test
-- benchmark | - | folder name of the benchmark
-- benchmark_title | - | name for people
-- nodes | nodes | from the system description
-- accelerators | accelerators | from the system description
-- runs | runs | that belong to it
-- runs_converged | runs | that reached the target
-- runs_required | runs | by the rules of the benchmark; NULL: not known
-- drops | runs | fastest and as many slowest left out of the score
-- global_batch_size | samples | NULL: not logged, or not the same in all runs
-- batch_sizes | - | number of different global batch sizes
-- first_started_at | UTC | earliest run_start
-- verification | - | official or unverified
-- kind | - | logged or reconstructed
select r.result_set, any_value(r.collection) as collection, any_value(r.round) as round,
    any_value(r.division) as division, any_value(r.organization) as organization,
    any_value(r.system) as system, any_value(r.benchmark) as benchmark,
    any_value(r.benchmark_title) as benchmark_title,
    any_value(r.nodes) as nodes, any_value(r.accelerators) as accelerators,
    count(*) as runs, count(*) filter (r.is_converged) as runs_converged,
    any_value(b.runs_required) as runs_required, coalesce(any_value(b.drops), 1) as drops,
    case when count(distinct r.global_batch_size) = 1 then any_value(r.global_batch_size) end
        as global_batch_size,
    count(distinct r.global_batch_size) as batch_sizes,
    min(r.started_at) as first_started_at,
    any_value(r.verification) as verification, any_value(r.kind) as kind
from run_result r
join run_benchmark b using (run_id)
where r.is_counted
group by r.result_set
