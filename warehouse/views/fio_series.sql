-- The series of fio tests: one job file on one storage system, whatever the clients, jobs, depth and block
-- size, with what its longest curve along jobs shows.
-- collection | - | source.toml that governs the files
-- system | - | storage system
-- series | - | pattern and fingerprint of the job file
-- direction | - | read, write, trim or mixed
-- rw | - | pattern that was asked for
-- fixed_options | - | options that are the same at all points
-- results | - | results in the database
-- complete | - | results that are complete
-- points | - | test points of them
-- clients | clients | smallest to largest number
-- jobs | jobs | smallest to largest number, of all clients
-- iodepth | - | smallest to largest depth
-- block_bytes | B | smallest to largest block size
-- versions | - | fio versions
-- first_bps | B/s | bandwidth with the fewest jobs of the longest curve along jobs
-- peak_bps | B/s | largest bandwidth of a test point
-- peak_iops | I/O/s | largest rate of operations of a test point
-- linear_until_jobs | jobs | up to here the bandwidth grows with the jobs
-- saturated_from_jobs | jobs | from here on it does not; NULL: not seen
-- saturated_bps | B/s | bandwidth there
-- verdict | - | both in words
-- kind | - | logged or reconstructed
-- verification | - | official or unverified
with described as (
    select r.collection, r.system, r.series, r.direction, any_value(r.rw) as rw, any_value(f.fixed_options order by f.fixed_options) as fixed_options,
        count(*) as results, count(*) filter (r.status = 'complete') as complete,
        string_agg(distinct r.version, ', ' order by r.version) as versions, any_value(r.kind) as kind, any_value(r.verification) as verification
    from fio_result r
    left join fio_job_file f on f.run_id = r.run_id and f.group_id is not distinct from r.group_id
    where r.series is not null and r.status <> 'replaced'
    group by r.collection, r.system, r.series, r.direction
), ranged as (
    select collection, system, series, direction, count(*) as points, max(bandwidth_bps) as peak_bps, max(iops) as peak_iops,
        fio_range(min(clients), max(clients)) as clients, fio_range(min(jobs), max(jobs)) as jobs,
        fio_range(min(iodepth), max(iodepth)) as iodepth, fio_range(try_cast(min(block_bytes) as bigint), try_cast(max(block_bytes) as bigint)) as block_bytes
    from fio_point
    group by collection, system, series, direction
), along_jobs as (
    select collection, system, series, direction, held, arg_min(bandwidth_bps, x) as first_bps, try_cast(any_value(linear_until) as bigint) as linear_until,
        try_cast(any_value(saturated_from) as bigint) as saturated_from, max(bandwidth_bps) filter (x = saturated_from) as saturated_bps,
        try_cast(max(x) as bigint) as last_x
    from fio_curve
    where axis = 'jobs'
    group by collection, system, series, direction, held
    qualify row_number() over (partition by collection, system, series, direction order by count(*) desc, max(bandwidth_bps) desc, held) = 1
)
select d.collection, d.system, d.series, d.direction, d.rw, d.fixed_options, d.results, d.complete, coalesce(r.points, 0) as points,
    r.clients, r.jobs, r.iodepth, r.block_bytes, d.versions, j.first_bps, r.peak_bps, r.peak_iops,
    j.linear_until as linear_until_jobs, j.saturated_from as saturated_from_jobs, j.saturated_bps,
    case when j.held is null then null
        when j.saturated_from is not null then 'linear up to ' || j.linear_until || case j.linear_until when 1 then ' job' else ' jobs' end
            || ', saturated from ' || j.saturated_from || ' jobs at ' || fio_mbps(j.saturated_bps)
        when j.linear_until = j.last_x then 'linear up to the last point, ' || j.last_x || ' jobs'
        else 'linear up to ' || j.linear_until || case j.linear_until when 1 then ' job' else ' jobs' end || ', still rising at ' || j.last_x || ' jobs' end as verdict,
    d.kind, d.verification
from described d
left join ranged r on r.collection = d.collection and r.system = d.system and r.series = d.series and r.direction = d.direction
left join along_jobs j on j.collection = d.collection and j.system = d.system and j.series = d.series and j.direction = d.direction
