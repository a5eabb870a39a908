-- Test points of fio: complete results with the same system, job file, clients, jobs, depth, block size and
-- direction. Repetitions become their median; nothing that is not complete takes part.
-- stored
-- collection | - | source.toml that governs the files
-- system | - | storage system
-- series | - | series of the results
-- direction | - | read, write, trim or mixed
-- clients | clients | clients
-- jobs | jobs | jobs of all clients
-- jobs_per_client | jobs | where all clients have as many
-- iodepth | - | depth that was asked for
-- block_bytes | B | block size that was asked for
-- bandwidth_bps | B/s | median of the repetitions
-- bandwidth_low_bps | B/s | smallest repetition
-- bandwidth_high_bps | B/s | largest repetition
-- iops | I/O/s | median of the repetitions
-- lat_mean_us | us | median of the repetitions' means
-- lat_kind | - | lat or clat
-- repetitions | runs | results behind the point
-- is_rounded | - | at least one of them comes from normal text
-- path | - | file of the first of them
-- line | - | its line
-- run_id | - | its run
-- group_id | - | its group
-- kind | - | logged or reconstructed
-- verification | - | official or unverified
select collection, system, series, direction, clients, jobs, jobs_per_client, iodepth, block_bytes,
    median(bandwidth_bps) as bandwidth_bps, min(bandwidth_bps) as bandwidth_low_bps,
    max(bandwidth_bps) as bandwidth_high_bps, median(iops) as iops, median(lat_mean_us) as lat_mean_us,
    case when count(distinct lat_kind) = 1 then max(lat_kind) end as lat_kind, count(*) as repetitions,
    bool_or(is_rounded) as is_rounded, min(path) as path, arg_min(line, (path, line)) as line,
    arg_min(run_id, (path, line)) as run_id, arg_min(group_id, (path, line)) as group_id,
    any_value(kind) as kind, any_value(verification) as verification
from fio_result
where status = 'complete' and series is not null
group by collection, system, series, direction, clients, jobs, jobs_per_client, iodepth, block_bytes
