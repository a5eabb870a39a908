-- Bus bandwidth and time against message size: repeats of one size in one run are their median. Sizes of 0
-- and runs of one rank are left out.
-- stored
-- run_id | - | run
-- path | - | file
-- line | - | line of the first repeat
-- collection | - | source.toml that governs the file
-- system | - | system under test
-- collective | - | test
-- type | - | element type
-- redop | - | reduction
-- root | - | root rank
-- placement | - | out_of_place or in_place
-- ranks | ranks | of the run
-- nodes | nodes | of the run
-- size_bytes | B | message size
-- time_us | us | median time
-- algbw_gbps | GB/s | median algorithm bandwidth
-- busbw_gbps | GB/s | median bus bandwidth
-- repeats | - | rows behind it
-- next_busbw_gbps | GB/s | at the next larger size
-- last_busbw_gbps | GB/s | at the next smaller size
-- other_busbw_gbps | GB/s | same size in the other placement
-- in_place_pct | % | speed in place against out of place at this size, from the times
-- kind | - | logged or reconstructed
-- verification | - | official or unverified
with sized as (
    select run_id, any_value(path) as path, min(line) as line, collection, system, collective, type, redop, root, placement, ranks,
        nodes, size_bytes, median(time_us) as time_us, median(algbw_gbps) as algbw_gbps, median(busbw_gbps) as busbw_gbps,
        count(*) as repeats, any_value(kind) as kind, any_value(verification) as verification
    from nccl_point
    where is_counted and is_meaningful and busbw_gbps is not null
    group by run_id, collection, system, collective, type, redop, root, placement, ranks, nodes, size_bytes
)
select run_id, path, line, collection, system, collective, type, redop, root, placement, ranks, nodes, size_bytes, time_us,
    algbw_gbps, busbw_gbps, repeats, lead(busbw_gbps) over curve as next_busbw_gbps, lag(busbw_gbps) over curve as last_busbw_gbps,
    any_value(busbw_gbps) filter (placement = 'in_place') over same_size as other_busbw_gbps,
    any_value(time_us) filter (placement = 'out_of_place') over same_size
        / nullif(any_value(time_us) filter (placement = 'in_place') over same_size, 0) * 100 as in_place_pct, kind, verification
from sized
window curve as (partition by run_id, type, redop, root, placement order by size_bytes),
    same_size as (partition by run_id, type, redop, root, size_bytes)
