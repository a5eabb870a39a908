-- Bus bandwidth by node count at the largest size that all of them have, and whether they are like for like.
-- stored
-- collection | - | source.toml that governs the files
-- system | - | system under test
-- collective | - | test
-- type | - | element type
-- redop | - | reduction
-- placement | - | out_of_place or in_place
-- nodes | nodes | nodes
-- ranks | ranks | ranks
-- size_bytes | B | largest size that all node counts of this row's group have; NULL: none
-- busbw_gbps | GB/s | at that size; median of the runs
-- time_us | us | at that size; median of the runs
-- peak_busbw_gbps | GB/s | largest of any size
-- runs | runs | runs behind it
-- base_nodes | nodes | smallest node count of the group
-- base_busbw_gbps | GB/s | bus bandwidth there
-- kept_pct | % | bus bandwidth against that of the smallest node count
-- is_like_for_like | - | same versions, iterations and warm-up as the smallest node count; NULL: the outputs do not say
-- differences | - | what is not the same
-- nccl_version | - | NCCL versions
-- path | - | file of the first run
-- line | - | line of its row at that size
-- kind | - | logged or reconstructed
-- verification | - | official or unverified
with grouped as (
    select c.*, r.nccl_version, r.tests_version, r.warmup_iters, r.iters, r.network
    from nccl_curve c
    join nccl_run r using (run_id)
    where c.nodes is not null and r.copies = 1 and c.system <> 'unassigned'
), common as (
    select collection, system, collective, type, redop, placement, max(size_bytes) as size_bytes
    from (
        select collection, system, collective, type, redop, placement, size_bytes, count(distinct nodes) as at_nodes,
            any_value(total) as total
        from (select *, (select count(distinct g.nodes) from grouped g where g.collection = o.collection and g.system = o.system
                and g.collective is not distinct from o.collective and g.type is not distinct from o.type
                and g.redop is not distinct from o.redop and g.placement = o.placement) as total from grouped o)
        group by collection, system, collective, type, redop, placement, size_bytes
    )
    where at_nodes = total
    group by collection, system, collective, type, redop, placement
), noded as (
    select g.collection, g.system, g.collective, g.type, g.redop, g.placement, g.nodes, max(g.ranks) as ranks,
        any_value(m.size_bytes) as size_bytes, median(g.busbw_gbps) filter (g.size_bytes = m.size_bytes) as busbw_gbps,
        median(g.time_us) filter (g.size_bytes = m.size_bytes) as time_us, max(g.busbw_gbps) as peak_busbw_gbps,
        count(distinct g.run_id) as runs, string_agg(distinct g.nccl_version, ', ' order by g.nccl_version) as nccl_version,
        string_agg(distinct g.tests_version, ', ' order by g.tests_version) as tests_version,
        string_agg(distinct g.warmup_iters::varchar, ', ' order by g.warmup_iters::varchar) as warmup_iters,
        string_agg(distinct g.iters::varchar, ', ' order by g.iters::varchar) as iters,
        string_agg(distinct g.network, ', ' order by g.network) as network,
        coalesce(min(g.path) filter (g.size_bytes = m.size_bytes), min(g.path)) as path,
        coalesce(arg_min(g.line, (g.path, g.line)) filter (g.size_bytes = m.size_bytes), arg_min(g.line, (g.path, g.line))) as line,
        any_value(g.kind) as kind, any_value(g.verification) as verification
    from grouped g
    left join common m on m.collection = g.collection and m.system = g.system and m.collective is not distinct from g.collective
        and m.type is not distinct from g.type and m.redop is not distinct from g.redop and m.placement = g.placement
    group by g.collection, g.system, g.collective, g.type, g.redop, g.placement, g.nodes
), based as (
    select *, first_value(nodes) over up as base_nodes, first_value(busbw_gbps) over up as base_busbw_gbps,
        concat_ws(', ',
            case when nccl_version <> first_value(nccl_version) over up then 'NCCL ' || nccl_version || ' against ' || first_value(nccl_version) over up end,
            case when tests_version <> first_value(tests_version) over up then 'nccl-tests ' || tests_version || ' against ' || first_value(tests_version) over up end,
            case when warmup_iters <> first_value(warmup_iters) over up then warmup_iters || ' warm-up iterations against ' || first_value(warmup_iters) over up end,
            case when iters <> first_value(iters) over up then iters || ' iterations against ' || first_value(iters) over up end) as differences,
        nodes = first_value(nodes) over up
            or nccl_version is not null and first_value(nccl_version) over up is not null
            and warmup_iters is not null and first_value(warmup_iters) over up is not null as is_told
    from noded
    window up as (partition by collection, system, collective, type, redop, placement order by nodes)
)
select collection, system, collective, type, redop, placement, nodes, ranks, size_bytes, busbw_gbps, time_us, peak_busbw_gbps, runs,
    base_nodes, base_busbw_gbps, busbw_gbps / nullif(base_busbw_gbps, 0) * 100 as kept_pct,
    case when differences <> '' then false when is_told then true end as is_like_for_like,
    nullif(differences, '') as differences, nccl_version, path, line, kind, verification
from based
