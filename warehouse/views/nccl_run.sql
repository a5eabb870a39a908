-- Every run of an nccl-tests program: what it was, on how many ranks and nodes, and whether it ended.
-- stored
-- run_id | - | run
-- path | - | file
-- line | - | first line of the run
-- collection | - | source.toml that governs the file, '' for none
-- system | - | from a source.toml or the command line; unassigned where nobody says it
-- form | - | text, json, rccl_json or rccl_csv
-- collective | - | all_reduce, all_gather, ...; named by the output, else what the columns leave no doubt about; NULL: neither
-- is_named | - | the output names the collective
-- ranks_claimed | ranks | as the file name says (64gpu, 16ranks); NULL: it does not
-- is_rccl | - | AMD's rccl-tests
-- tests_version | - | of nccl-tests or rccl-tests, as printed
-- nccl_version | - | of NCCL or RCCL, as printed
-- ranks_listed | ranks | device lines; NULL: none, or the list is cut
-- ranks_implied | ranks | that bus over algorithm bandwidth of the largest size implies; NULL: the collective's factor does not depend on it
-- ranks_implied_low | ranks | smallest number that the rounding of both allows
-- ranks_implied_high | ranks | largest number that the rounding of both allows; NULL: no limit
-- ranks | ranks | listed, else implied; 1 where every bus bandwidth is 0; one listed rank with a bandwidth is a shortened list
-- busbw_factor | - | bus over algorithm bandwidth at these ranks; NULL: not known
-- nodes | nodes | distinct hosts in the device lines; NULL: not told
-- device_name | - | name of the devices; several separated by commas
-- hosts | - | hosts in the device lines
-- link_platform | - | link that carries it (data/platforms.toml): between the devices of one node, or of all network cards of a node
-- link_gbps | GB/s | its peak in one direction
-- network | - | transport that NCCL names
-- is_nvls | - | NVLink SHARP is in use; NULL: not told
-- is_sharp | - | in-network reduction is in use; NULL: not told
-- copies | - | processes that ran the test side by side without MPI; 1 is right
-- warmup_iters | - | as printed
-- iters | - | as printed
-- agg_iters | - | as printed
-- min_bytes | B | as printed
-- max_bytes | B | as printed
-- is_cpu_time | - | times are CPU time (-C)
-- era | - | shape of the table, A to D
-- largest_bytes | B | largest size that was measured
-- step | - | factor, or bytes, from one size to the next, as printed
-- rows | - | rows read, both placements together
-- rows_lost | - | rows that could not be read
-- problems | - | problems of the file
-- peak_busbw_gbps | GB/s | largest bus bandwidth out of place; in place where there is none
-- peak_size_bytes | B | size of that row
-- peak_line | - | line of that row
-- average_busbw_gbps | GB/s | as printed: a mean over all sizes and placements, never a result
-- out_of_bounds | - | failing tests, as printed
-- has_footer | - | the run reached its last lines
-- status | - | success, failed, aborted or unfinished
-- is_counted | - | not loaded again later under the same name with other contents
-- kind | - | logged or reconstructed
-- verification | - | official or unverified
with output as (
    select o.* exclude (collective), c.collective, c.is_named
    from nccl_output o
    join nccl_collective c using (run_id)
), device as (
    select run_id, string_agg(distinct name, ', ' order by name) as device_name, string_agg(distinct host, ', ' order by host) as hosts
    from nccl_device group by run_id
), link as (
    select r.run_id, l.platform, l.peak_gbps
    from run r
    join nccl_output o using (run_id)
    join device d using (run_id)
    join link_peak l on l.scope = case when o.nodes_listed = 1 then 'node' when o.nodes_listed > 1 then 'network' end
        and is_device(d.device_name, l.device_pattern)
        and (l.system_pattern is null or contains(r.system, l.system_pattern))
    qualify row_number() over (partition by r.run_id order by length(l.system_pattern) desc nulls last, l.platform) = 1
), counted as (
    select run_id, count(distinct ordinal) as rows, max(size_bytes) as largest_bytes,
        try_cast(regexp_extract(any_value(json_extract_string(o.settings, '$.step')), '^([0-9]+)', 1) as bigint) as step,
        bool_or(w.busbw_gbps > 0) as has_bandwidth,
        bool_and(w.busbw_gbps = 0) filter (w.algbw_gbps >= 1) as is_alone
    from nccl_row w
    join nccl_output o using (run_id)
    group by run_id
), peak as (
    select run_id, busbw_gbps, size_bytes, line
    from nccl_row
    where busbw_gbps is not null and size_bytes > 0
    qualify row_number() over (partition by run_id order by placement = 'in_place', busbw_gbps desc, size_bytes, line) = 1
), largest as (
    select w.run_id, w.algbw_gbps, w.busbw_gbps, o.collective,
        printed_half(w.algbw_digits, w.algbw_gbps) as algbw_half, printed_half(w.busbw_digits, w.busbw_gbps) as busbw_half
    from nccl_row w
    join output o using (run_id)
    where w.algbw_gbps > 0 and w.busbw_gbps > 0
    qualify row_number() over (partition by w.run_id order by w.algbw_gbps desc, w.line, w.placement desc) = 1
), implied as (
    select run_id, implied_ranks(collective, busbw_gbps / algbw_gbps) as ranks,
        implied_ranks(collective, (busbw_gbps - busbw_half) / (algbw_gbps + algbw_half)) as low,
        implied_ranks(collective, (busbw_gbps + busbw_half) / nullif(greatest(algbw_gbps - algbw_half, 0), 0)) as high
    from largest
)
select r.run_id, s.path, o.line, r.collection, coalesce(r.system, 'unassigned') as system, o.form, o.collective, o.is_named,
    try_cast(regexp_extract(lower(regexp_extract(s.path, '[^/!]*$')), '(?:^|[^0-9a-z])([0-9]{1,6})[_-]?(?:gpus?|ranks?)(?:[^a-z]|$)', 1) as bigint)
        as ranks_claimed, o.is_rccl,
    o.tests_version, o.nccl_version, o.ranks_listed, try_cast(round(i.ranks) as bigint) as ranks_implied,
    i.low as ranks_implied_low, i.high as ranks_implied_high, n.ranks,
    busbw_factor(o.collective, n.ranks) as busbw_factor,
    o.nodes_listed as nodes, d.device_name, d.hosts, l.platform as link_platform, l.peak_gbps as link_gbps, o.network, o.is_nvls, o.is_sharp, o.copies,
    try_cast(json_extract_string(o.settings, '$."warmup iters"') as bigint) as warmup_iters,
    try_cast(json_extract_string(o.settings, '$.iters') as bigint) as iters,
    try_cast(json_extract_string(o.settings, '$."agg iters"') as bigint) as agg_iters,
    try_cast(json_extract_string(o.settings, '$.minBytes') as bigint) as min_bytes,
    try_cast(json_extract_string(o.settings, '$.maxBytes') as bigint) as max_bytes,
    o.is_cpu_time, o.era, c.largest_bytes, c.step, coalesce(c.rows, 0) as rows, o.rows_lost, s.problems,
    p.busbw_gbps as peak_busbw_gbps, p.size_bytes as peak_size_bytes, p.line as peak_line,
    o.average_busbw_gbps, o.out_of_bounds, o.has_footer, r.status,
    dense_rank() over (partition by r.collection, s.path order by r.source_id desc) = 1 as is_counted,
    k.kind, k.verification
from run r
join output o using (run_id)
join source s using (source_id)
join collection k on k.collection = r.collection
left join device d using (run_id)
left join link l using (run_id)
left join counted c using (run_id)
left join peak p using (run_id)
left join implied i using (run_id)
left join lateral (
    select case when o.ranks_listed = 1 and c.has_bandwidth then try_cast(round(i.ranks) as bigint)
        else coalesce(o.ranks_listed, try_cast(round(i.ranks) as bigint), case when c.is_alone then 1 end) end as ranks
) n on true
where r.kind = 'nccl'
