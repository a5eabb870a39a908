-- The runs behind scaling as it may be printed, as submitted and revised: what the figures of a report draw.
-- edition | - | submitted, or revised: with superseded results replaced
-- is_preferred | - | of the collection to show where several hold the same results: the one with most node counts, then official, then logged
-- result_set | - | result set
-- collection | - | source.toml that governs its files, '' for none
-- round | - | such as v1.1
-- division | - | closed or open
-- organization | - | submitter
-- family | - | name for people
-- system | - | system under test
-- benchmark | - | folder name of the benchmark
-- benchmark_title | - | name for people
-- nodes | nodes | from the system description
-- accelerators | accelerators | from the system description
-- run_id | - | run
-- run_number | - | n of result_n.txt
-- time_to_train_min | min | of the run
-- status | - | what run_stop says
-- start | - | file:line of run_start
-- stop | - | file:line of run_stop
-- slowest_min | min | slowest run of the result set
-- score_min | min | olympic mean; plain mean at a base of which only that is known
-- is_plain_mean | - | score_min is the plain mean
-- ideal_min | min | score if the family scaled perfectly from its base
-- base_system | - | system of the base
-- base_nodes | nodes | of the base
-- speedup | ratio | base score over score; NULL when withheld
-- efficiency_pct | % | speed-up over growth in accelerators; NULL when withheld
-- throughput_efficiency_pct | % | as in scaling; NULL when withheld or revised
-- convergence_efficiency_pct | % | as in scaling; NULL when withheld or revised
-- overhead_efficiency_pct | % | as in scaling; NULL when withheld or revised
-- reason | - | why there is no score, else NULL
-- is_like_for_like | - | as in scaling
-- is_printable | - | efficiency may stand in figures and tables
-- note | - | what else changed between the two ends
-- footnote | - | why it is printed, or what was replaced
-- score_verification | - | of the row's own result
-- verification | - | of the comparison: the weaker of the two ends
-- kind | - | logged or reconstructed
with editions as (
    select 'submitted' as edition, collection as origin, * exclude (collection)
    from scaling_printed
    union all by name
    select 'revised' as edition, * exclude (collection),
        case when replaces is null then collection else split_part(replaces, '@', 2) end as origin
    from scaling_revised_printed
), counted as (
    select *, count(*) over collected as rows_there
    from editions
    window collected as (partition by edition, origin, round, division, organization, family, benchmark)
), ranked as (
    select *, dense_rank() over (
        partition by edition, round, division, organization, family, benchmark
        order by rows_there desc, trust = 'official' desc, make = 'logged' desc, origin) as choice
    from counted
    join (select collection as origin, verification as trust, kind as make from collection) c using (origin)
)
select k.edition, k.choice = 1 as is_preferred, k.result_set, own.collection, k.round, k.division,
    k.organization, k.family, k.system, k.benchmark, k.benchmark_title, k.nodes, k.accelerators,
    r.run_id, r.run_number, r.time_to_train_min, r.status,
    r.path || ':' || r.start_line as start, r.path || ':' || r.stop_line as stop,
    max(r.time_to_train_min) over (partition by k.edition, k.result_set) as slowest_min,
    coalesce(k.score_min, case when k.system = k.base_system then k.base_score_min end) as score_min,
    own.score_min is null as is_plain_mean, k.ideal_min, k.base_system, k.base_nodes, k.speedup,
    k.efficiency_pct, k.throughput_efficiency_pct, k.convergence_efficiency_pct,
    k.overhead_efficiency_pct, own.reason, k.is_like_for_like, k.is_printable, k.note, k.footnote,
    own.verification as score_verification, k.verification, k.kind
from ranked k
join score own on own.result_set = k.result_set
join run_result r on r.result_set = k.result_set and r.is_counted
