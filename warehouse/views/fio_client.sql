-- What each client of a fio run got, and how even the clients are. A run whose output does not tell its
-- clients apart has no rows here beyond its one.
-- run_id | - | run
-- path | - | file
-- line | - | line of the client's first number
-- collection | - | source.toml that governs the file
-- system | - | storage system
-- series | - | series of the result
-- group_id | - | jobs of one group run together
-- direction | - | read, write, trim or mixed
-- client | - | hostname:port, or local
-- clients | clients | clients of the result
-- jobs | jobs | jobs of this client; NULL: unknown
-- iodepth | - | depth that was asked for
-- block_bytes | B | block size that was asked for
-- bandwidth_bps | B/s | bytes of the client's jobs over their longest run time
-- iops | I/O/s | operations of the client's jobs over their longest run time
-- lat_mean_us | us | mean latency, weighted by I/Os; NULL: not measured
-- runtime_s | s | longest run time of the client's jobs
-- median_bps | B/s | median client of the result
-- deviation_pct | % | bandwidth against the median client of the result
-- spread_pct | % | largest less smallest client bandwidth over the mean
-- variation_pct | % | coefficient of variation of the clients' bandwidths
-- jain_index | - | Jain's fairness index: 1 is even, 1/clients is one client alone
-- is_slowest | - | the slowest of an uneven result: spread over the threshold fio_balance_pct
-- is_straggler | - | the slowest of an uneven result, under its median client by more than the threshold fio_balance_pct
-- status | - | status of the result
with one as (
    select run_id, group_id, direction, client, min(path) as path, min(line) as line,
        case when count(jobs) = count(*) then try_cast(sum(jobs) as bigint) end as jobs,
        sum(bytes_moved) filter (runtime_ms > 0) * 1000 / nullif(max(runtime_ms), 0) as bandwidth_bps,
        sum(ios) filter (runtime_ms > 0) * 1000 / nullif(max(runtime_ms), 0) as iops,
        sum(lat_mean_us * lat_samples) filter (lat_samples > 0)
            / nullif(sum(lat_samples) filter (lat_mean_us is not null and lat_samples > 0), 0) as lat_mean_us,
        max(runtime_ms) / 1000 as runtime_s
    from fio_job_result
    group by run_id, group_id, direction, client
), compared as (
    select *, median(bandwidth_bps) over same as median_bps, avg(bandwidth_bps) over same as mean_bps,
        max(bandwidth_bps) over same - min(bandwidth_bps) over same as range_bps,
        stddev_pop(bandwidth_bps) over same as deviation_bps, sum(bandwidth_bps) over same as sum_bps,
        sum(bandwidth_bps * bandwidth_bps) over same as square_sum, count(bandwidth_bps) over same as counted,
        row_number() over (partition by run_id, group_id, direction order by bandwidth_bps, client) = 1 as is_slowest
    from one
    window same as (partition by run_id, group_id, direction)
)
select c.run_id, c.path, c.line, r.collection, r.system, r.series, c.group_id, c.direction, c.client, r.clients,
    c.jobs, r.iodepth, r.block_bytes, c.bandwidth_bps, c.iops, c.lat_mean_us, c.runtime_s,
    c.median_bps, (c.bandwidth_bps / nullif(c.median_bps, 0) - 1) * 100 as deviation_pct,
    c.range_bps / nullif(c.mean_bps, 0) * 100 as spread_pct,
    c.deviation_bps / nullif(c.mean_bps, 0) * 100 as variation_pct,
    c.sum_bps * c.sum_bps / nullif(c.counted * c.square_sum, 0) as jain_index,
    c.counted > 1 and c.is_slowest and c.range_bps / nullif(c.mean_bps, 0) * 100 > limit_of('fio_balance_pct') as is_slowest,
    c.counted > 1 and c.is_slowest and c.range_bps / nullif(c.mean_bps, 0) * 100 > limit_of('fio_balance_pct')
        and c.bandwidth_bps < c.median_bps * (1 - limit_of('fio_balance_pct') / 100) as is_straggler,
    r.status
from compared c
join fio_result r on r.run_id = c.run_id and r.group_id is not distinct from c.group_id and r.direction = c.direction
