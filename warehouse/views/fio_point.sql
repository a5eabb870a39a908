-- Test points of fio: complete results with the same system, job file, clients, jobs, depth, block size and
-- direction. Of repetitions the one with the
-- median bandwidth stands for all (the lower one of two); nothing that is not complete takes part.
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
-- bandwidth_bps | B/s | of the repetition with the median
-- bandwidth_low_bps | B/s | smallest repetition
-- bandwidth_high_bps | B/s | largest repetition
-- iops | I/O/s | of the same repetition
-- lat_mean_us | us | mean latency of the same repetition
-- lat_kind | - | lat or clat
-- repetitions | runs | results behind the point
-- is_rounded | - | at least one of them comes from normal text
-- path | - | file of that repetition
-- line | - | its line
-- run_id | - | its run
-- group_id | - | its group
-- kind | - | logged or reconstructed
-- verification | - | official or unverified
with ordered as (
    select *, row_number() over (point order by bandwidth_bps, path, line) as place, count(*) over point as repetitions,
        min(bandwidth_bps) over point as bandwidth_low_bps, max(bandwidth_bps) over point as bandwidth_high_bps,
        bool_or(is_rounded) over point as is_any_rounded
    from fio_result
    where status = 'complete' and series is not null
    window point as (partition by collection, system, series, direction, clients, jobs, jobs_per_client, iodepth, block_bytes)
)
select collection, system, series, direction, clients, jobs, jobs_per_client, iodepth, block_bytes, bandwidth_bps, bandwidth_low_bps,
    bandwidth_high_bps, iops, lat_mean_us, lat_kind, repetitions, is_any_rounded as is_rounded, path, line, run_id, group_id,
    kind, verification
from ordered
where place = (repetitions + 1) // 2
