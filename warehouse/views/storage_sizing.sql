-- What training asks of a storage system, and what the measured curve gives: samples per second times bytes
-- per sample times accelerators, with headroom, against read bandwidth at as many clients. Nothing is
-- extrapolated: where the curve ends below the demand, that is said, and no number of nodes is given.
-- collection | - | source.toml that governs the measurement
-- system | - | storage system
-- workload | - | training benchmark
-- accelerator | - | accelerator
-- accelerators | accelerators | number of them
-- samples_per_s | samples/s | of one accelerator at full speed
-- bytes_per_sample | B | read for one sample
-- required_gbps | GB/s | 10^9 bytes per second, without headroom
-- headroom | - | factor on the demand (threshold sizing_headroom)
-- clients | clients | accelerators over accelerators per client, rounded up
-- measured_gbps | GB/s | largest read bandwidth measured with that many clients; NULL: not measured
-- measured_block_bytes | B | block size of that measurement
-- measured_rw | - | its pattern
-- access | - | how the training reads
-- storage_nodes_measured | - | nodes of the storage system, from the source.toml; NULL: not said
-- is_reached | - | the measured system gives the demand with headroom; NULL: not measured, or only by jobs that were held to a rate
-- storage_nodes | - | nodes needed at the measured bandwidth per node; NULL: not reached, or nodes not said
-- times_measured | - | demand with headroom over what was measured
-- note | - | the verdict in words
-- source | - | where the demand is from
-- url | - | the same
-- path | - | file of the measurement
-- line | - | its line
with system as (
    select distinct collection, system from fio_point where direction = 'read'
), demand as (
    select s.*, w.workload, w.accelerator, n.accelerators, w.samples_per_s, w.bytes_per_sample, w.access, w.source, w.url,
        w.samples_per_s * w.bytes_per_sample * n.accelerators / 1e9 as required_gbps,
        try_cast(ceil(n.accelerators / w.accelerators_per_client) as bigint) as clients,
        limit_of('sizing_headroom') as headroom
    from system s
    cross join workload w
    cross join (values (1), (2), (4), (8), (16), (32), (64)) n (accelerators)
), best as (
    select p.collection, p.system, p.clients, p.bandwidth_bps / 1e9 as measured_gbps, p.block_bytes, r.rw, p.path, p.line,
        (select coalesce(bool_or(case when fio_size(json_extract_string(j.options, '$.rate'), j.kb_base) > 0
                then p.bandwidth_bps >= 0.9 * p.jobs * fio_size(json_extract_string(j.options, '$.rate'), j.kb_base)
                else fio_is_held_back(j.options) end), false)
            from fio_job j where j.run_id = p.run_id and j.group_id is not distinct from p.group_id) as is_held_back
    from fio_point p
    join fio_result r on r.run_id = p.run_id and r.group_id is not distinct from p.group_id and r.direction = p.direction
    where p.direction = 'read' and p.clients is not null
    qualify row_number() over (partition by p.collection, p.system, p.clients order by p.bandwidth_bps desc, p.path, p.line) = 1
), widest as (
    select collection, system, max(clients) as clients from best group by collection, system
), compared as (
    select d.*, b.measured_gbps, b.block_bytes, b.rw, b.path, b.line, b.is_held_back, c.storage_nodes as nodes_measured, w.clients as most_clients,
        d.required_gbps * d.headroom / b.measured_gbps as times_measured
    from demand d
    left join best b on b.collection = d.collection and b.system = d.system and b.clients = d.clients
    left join widest w on w.collection = d.collection and w.system = d.system
    left join collection c on c.collection = d.collection
)
select collection, system, workload, accelerator, accelerators, samples_per_s, bytes_per_sample, required_gbps, headroom,
    clients, measured_gbps, block_bytes as measured_block_bytes, rw as measured_rw, access, nodes_measured as storage_nodes_measured,
    case when times_measured <= 1 then true when not is_held_back then false end as is_reached,
    case when times_measured <= 1 then try_cast(ceil(times_measured * nodes_measured) as bigint) end as storage_nodes,
    times_measured,
    case when measured_gbps is null and clients > most_clients
            then 'not measured with ' || clients || ' clients: the curve ends at ' || most_clients
        when measured_gbps is null then 'not measured with ' || clients || case clients when 1 then ' client' else ' clients' end
        when times_measured <= 1 then 'reached'
        when is_held_back then 'not shown: the run was held to a rate, ' || printf('%.3f', measured_gbps) || ' GB/s; '
            || printf('%.3f', required_gbps * headroom) || ' GB/s needed with headroom'
        else 'not reached: ' || printf('%.3f', measured_gbps) || ' GB/s measured, '
            || printf('%.3f', required_gbps * headroom) || ' GB/s needed with headroom' end as note,
    source, url, path, line
from compared
