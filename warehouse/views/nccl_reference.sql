-- Peak bus bandwidth of each run beside what is published for the same collective, device, ranks and nodes,
-- and beside the link that carries it.
-- run_id | - | run
-- path | - | file
-- line | - | line of the peak
-- collection | - | source.toml that governs the file
-- system | - | system under test
-- collective | - | test
-- ranks | ranks | of the run
-- nodes | nodes | of the run
-- device_name | - | devices
-- peak_busbw_gbps | GB/s | of the run
-- peak_size_bytes | B | size of that row
-- reference_system | - | the published system
-- reference_busbw_gbps | GB/s | published
-- reference_size_bytes | B | published for this size; NULL: not said
-- basis | - | measured or threshold
-- share_pct | % | peak over published
-- note | - | what there is to know about the published figure
-- source | - | where it is published
-- url | - | the same
select r.run_id, r.path, r.peak_line as line, r.collection, r.system, r.collective, r.ranks, r.nodes, r.device_name,
    r.peak_busbw_gbps, r.peak_size_bytes, b.system as reference_system, b.busbw_gbps as reference_busbw_gbps,
    b.size_bytes as reference_size_bytes, b.basis, r.peak_busbw_gbps / b.busbw_gbps * 100 as share_pct, b.note, b.source, b.url
from nccl_run r
join reference_busbw b on b.collective = r.collective and is_device(r.device_name, b.device_pattern)
    and b.ranks = r.ranks and (b.nodes is null or r.nodes is null or b.nodes = r.nodes)
where r.is_counted and r.peak_busbw_gbps is not null
    -- a run that ends at small messages is not held against the figure of large ones
    and r.largest_bytes >= coalesce(b.size_bytes, 1073741824)
