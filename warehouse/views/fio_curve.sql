-- Curves through the test points of a series: along jobs (of all clients), clients, depth or block size,
-- all else held. Along jobs and clients the linear line is n times the first point.
-- stored
-- collection | - | source.toml that governs the files
-- system | - | storage system
-- series | - | series of the points
-- direction | - | read, write, trim or mixed
-- axis | - | jobs, clients, iodepth or block_bytes
-- held | - | what is the same at all points, in words
-- x | - | jobs, clients, depth or bytes of a block, as the axis says
-- clients | clients | clients; NULL along jobs where several splits gave as many jobs
-- jobs | jobs | jobs of all clients
-- iodepth | - | depth
-- block_bytes | B | block size
-- bandwidth_bps | B/s | of the test point; of several splits of as many jobs over clients, of the fastest
-- ideal_bps | B/s | n times the first point; NULL along depth and block size
-- efficiency_pct | % | bandwidth over ideal
-- iops | I/O/s | of the same test point
-- lat_mean_us | us | mean latency of the same test point
-- lat_kind | - | lat or clat
-- points | - | test points behind it
-- repetitions | runs | results behind it
-- peak_bps | B/s | largest bandwidth of the curve
-- linear_until | - | largest x up to which every point reaches the share fio_linear_pct of the linear line
-- saturated_from | - | smallest x with the share fio_saturation_pct of the peak; NULL: the curve still rises, or no linear line
-- is_last | - | the largest x of the curve
-- path | - | file of that test point
-- line | - | its line
-- kind | - | logged or reconstructed
-- verification | - | official or unverified
with axed as (
    select p.*, a.axis,
        case a.axis when 'jobs' then jobs when 'clients' then clients when 'iodepth' then iodepth else block_bytes end as x,
        concat_ws(', ',
            case when a.axis in ('iodepth', 'block_bytes') then coalesce(clients || case clients when 1 then ' client' else ' clients' end, 'clients not known') end,
            case when a.axis in ('iodepth', 'block_bytes') then coalesce(jobs || case jobs when 1 then ' job' else ' jobs' end, 'jobs not known')
                when a.axis = 'clients' then coalesce(jobs_per_client || case jobs_per_client when 1 then ' job' else ' jobs' end || ' per client', 'jobs not known') end,
            case when a.axis <> 'iodepth' then 'depth ' || coalesce(iodepth::varchar, 'not known') end,
            case when a.axis <> 'block_bytes' then coalesce(case when block_bytes % 1048576 = 0 then try_cast((block_bytes // 1048576) as bigint) || ' MiB'
                when block_bytes % 1024 = 0 then try_cast((block_bytes // 1024) as bigint) || ' KiB' else try_cast(block_bytes as bigint) || ' B' end, 'blocks not known') end
        ) as held
    from fio_point p
    cross join (values ('jobs'), ('clients'), ('iodepth'), ('block_bytes')) a (axis)
), placed as (
    select *, row_number() over (same order by bandwidth_bps desc, path, line) as place, count(*) over same as points,
        sum(repetitions) over same as all_repetitions, count(distinct clients) over same as splits, count(distinct jobs) over same as job_counts,
        count(distinct iodepth) over same as depths, count(distinct block_bytes) over same as blocks
    from axed
    where x is not null
    window same as (partition by collection, system, series, direction, axis, held, x)
), pointed as (
    select collection, system, series, direction, axis, held, x, case when splits = 1 then clients end as clients,
        case when job_counts = 1 then jobs end as jobs, case when depths = 1 then iodepth end as iodepth,
        case when blocks = 1 then block_bytes end as block_bytes, bandwidth_bps, iops, lat_mean_us, lat_kind, points,
        try_cast(all_repetitions as bigint) as repetitions, path, line, kind, verification
    from placed
    where place = 1
), curved as (
    select *, count(*) over curve as steps, max(bandwidth_bps) over curve as peak_bps, max(x) over curve as last_x,
        case when axis in ('jobs', 'clients') then x * first_value(bandwidth_bps / x) over (curve order by x) end as ideal_bps
    from pointed
    window curve as (partition by collection, system, series, direction, axis, held)
), rated as (
    select *, bandwidth_bps / nullif(ideal_bps, 0) * 100 as efficiency_pct from curved where steps > 1
), marked as (
    select r.*,
        min(x) filter (efficiency_pct < limit_of('fio_linear_pct')) over curve as first_bent,
        min(x) filter (bandwidth_bps >= peak_bps * limit_of('fio_saturation_pct') / 100) over curve as first_full,
        max(efficiency_pct) filter (x = last_x) over curve as last_efficiency_pct
    from rated r
    window curve as (partition by collection, system, series, direction, axis, held)
)
select collection, system, series, direction, axis, held, x, clients, jobs, iodepth, block_bytes, bandwidth_bps, ideal_bps,
    efficiency_pct, iops, lat_mean_us, lat_kind, points, repetitions, peak_bps,
    case when ideal_bps is not null then max(x) filter (first_bent is null or x < first_bent) over curve end as linear_until,
    case when ideal_bps is not null and first_full < last_x
        and last_efficiency_pct < limit_of('fio_linear_pct') then first_full end as saturated_from,
    x = last_x as is_last, path, line, kind, verification
from marked
window curve as (partition by collection, system, series, direction, axis, held)
