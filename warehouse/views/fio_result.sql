-- The results of fio: one row for each group of jobs that ran together and each direction. Bandwidth is
-- all bytes over the longest run time; bw_mean, iops_mean and "All clients" of fio are never used.
-- stored
-- run_id | - | run
-- path | - | file
-- line | - | line of the first number behind it
-- collection | - | source.toml that governs the file, '' for none
-- system | - | storage system; unassigned where nobody names it
-- series | - | pattern and fingerprint of the job file less what varies; NULL: the output prints no options
-- group_id | - | jobs of one group run together; NULL: not printed
-- clients | clients | clients that reported; NULL: cannot be told from the output
-- jobs | jobs | jobs of all clients; NULL: unknown
-- jobs_per_client | jobs | where all clients have as many
-- iodepth | - | depth that was asked for; NULL: not printed, or several
-- block_bytes | B | block size that was asked for; NULL: not printed, or several
-- direction | - | read, write, trim or mixed
-- bandwidth_bps | B/s | bytes of all jobs over the longest run time; NULL: nothing was moved
-- iops | I/O/s | operations of all jobs over the longest run time; the sum of the printed rates where no operations are printed
-- lat_mean_us | us | mean latency, weighted by I/Os; NULL: not measured
-- lat_kind | - | lat or clat
-- status | - | complete, failed, interrupted, incomplete, or replaced by a later load
-- reason | - | why it is not complete
-- rw | - | pattern that was asked for
-- bytes_moved | B | bytes of all jobs with a run time
-- ios | I/Os | operations of all jobs with a run time: a killed worker may have counted some without one
-- runtime_s | s | longest run time
-- bandwidth_sum_bps | B/s | sum of the jobs' own rates: a check on running together
-- is_rounded | - | numbers have the few digits of normal text
-- version | - | fio version
-- form | - | json, terse or normal
-- is_client_server | - | written by fio --client
-- kind | - | logged or reconstructed
-- verification | - | official or unverified
with rowed as (
    select t.run_id, t.group_id, t.direction, min(t.path) as path, min(t.line) as line,
        count(distinct t.client) as clients, max(t.blocks) as blocks, sum(t.bytes_moved) filter (t.runtime_ms is distinct from 0) as bytes_moved,
        sum(t.ios) filter (t.runtime_ms is distinct from 0) as ios,
        case when count(t.ios) < count(*) then sum(t.iops) filter (t.runtime_ms is distinct from 0) end as printed_iops,
        max(t.runtime_ms) / 1000 as runtime_s, sum(t.bandwidth_bps) as bandwidth_sum_bps,
        case when count(t.jobs) = count(*) then try_cast(sum(t.jobs) as bigint) end as jobs,
        case when count(distinct t.block_bytes) = 1 and count(t.block_bytes) = count(*) then max(t.block_bytes) end as block_bytes,
        sum(t.lat_mean_us * t.lat_samples) filter (t.lat_samples > 0) / nullif(sum(t.lat_samples) filter (t.lat_mean_us is not null and t.lat_samples > 0), 0)
            as lat_mean_us,
        case when count(distinct t.lat_kind) = 1 then max(t.lat_kind) end as lat_kind
    from (select *, count(*) over (partition by run_id, group_id, direction, name) as blocks from fio_job_result) t
    group by t.run_id, t.group_id, t.direction
), grouped as (
    select j.run_id, j.group_id,
        case when count(distinct j.iodepth) = 1 and count(j.iodepth) = count(*) then max(j.iodepth) end as iodepth,
        case when count(distinct j.rw) = 1 and count(j.rw) = count(*) then max(j.rw) end as rw,
        bool_or(j.client = 'local' or j.client like '%:%') as is_told
    from fio_job j
    group by j.run_id, j.group_id
), per_client as (
    select run_id, group_id, case when count(distinct jobs) = 1 and count(jobs) = count(*) then max(jobs) end as jobs_per_client
    from (
        select run_id, group_id, client, case when count(jobs) = count(*) then try_cast(sum(jobs) as bigint) end as jobs
        from fio_job group by run_id, group_id, client
    ) group by run_id, group_id
), judged as (
    select f.run_id, f.group_id,
        max(case effect when 'failed' then 3 when 'interrupted' then 2 else 1 end) as worst,
        string_agg(distinct message, '; ' order by message) as reason
    from (
        select f.run_id, g.group_id, f.effect, f.message
        from fio_fault f
        join grouped g on g.run_id = f.run_id and (f.group_id is null or g.group_id is not distinct from f.group_id)
    ) f
    group by f.run_id, f.group_id
)
select r.run_id, r.path, b.line, r.collection, r.system, s.series, b.group_id,
    case when not r.is_client_server then 1 when g.is_told then b.clients
        when r.clients_planned <= b.blocks then r.clients_planned
        when r.clients_named <= b.blocks and (r.clients_named > 1 or b.blocks = 1) then r.clients_named end as clients,
    b.jobs, p.jobs_per_client, g.iodepth, b.block_bytes, b.direction,
    case when b.bytes_moved > 0 then b.bytes_moved / nullif(b.runtime_s, 0) end as bandwidth_bps,
    case when b.bytes_moved > 0 then coalesce(b.printed_iops, b.ios / nullif(b.runtime_s, 0)) end as iops,
    b.lat_mean_us, b.lat_kind,
    case when not r.is_counted then 'replaced'
        when b.bytes_moved is null or b.runtime_s is null then coalesce(['incomplete', 'interrupted', 'failed'][j.worst], 'incomplete')
        else coalesce(['incomplete', 'interrupted', 'failed'][j.worst], 'complete') end as status,
    case when not r.is_counted then 'loaded again later with other contents'
        when b.bytes_moved is null or b.runtime_s is null then coalesce(j.reason, 'bytes or run time are not printed')
        else j.reason end as reason,
    g.rw, b.bytes_moved, b.ios, b.runtime_s, b.bandwidth_sum_bps, r.is_rounded, r.version, r.form,
    r.is_client_server, r.kind, r.verification
from rowed b
join fio_run r on r.run_id = b.run_id
join grouped g on g.run_id = b.run_id and g.group_id is not distinct from b.group_id
join per_client p on p.run_id = b.run_id and p.group_id is not distinct from b.group_id
left join judged j on j.run_id = b.run_id and j.group_id is not distinct from b.group_id
left join fio_job_file s on s.run_id = b.run_id and s.group_id is not distinct from b.group_id
