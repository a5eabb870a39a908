-- What each job of a fio run moved in each direction: the ones it asked for, and any it moved data in. A sum
-- of directions that are printed beside it (unified_rw_reporting=both) is left out.
-- Bandwidth and operations are recomputed from bytes, operations and run time.
-- stored
-- run_id | - | run
-- entry | - | position in the document
-- path | - | file
-- line | - | line of the direction; of the entry where the output prints no such direction
-- group_id | - | jobs of one group run together
-- client | - | hostname:port, or local
-- name | - | name of the job
-- jobs | jobs | jobs behind this entry
-- direction | - | read, write, trim or mixed
-- block_bytes | B | block size that was asked for; NULL: not printed, or several
-- is_printed | - | the output prints this direction
-- bytes_moved | B | as logged
-- ios | I/Os | as logged
-- runtime_ms | ms | as logged
-- bandwidth_bps | B/s | bytes over run time
-- iops | I/O/s | operations over run time; as printed where the output prints no number of operations
-- printed_bandwidth_bps | B/s | as fio prints it
-- printed_iops | I/O/s | as fio prints it
-- lat_kind | - | kind of the latency: lat, else clat; NULL: not measured
-- lat_mean_us | us | mean latency of that kind
-- lat_max_us | us | largest latency of that kind
-- lat_samples | I/Os | I/Os behind the mean: as logged, else the operations
with part as (
    select j.* exclude (bytes_moved), coalesce(t.direction, d.direction) as direction, t.line as direction_line, t.bytes_moved, t.ios,
        t.runtime_ms as direction_ms, t.bandwidth_bps as printed_bandwidth_bps, t.iops as printed_iops,
        t.direction is not null as is_printed
    from fio_job j
    cross join (values ('read', 1), ('write', 2), ('trim', 3), ('mixed', 1)) d (direction, place)
    left join fio_transfer t on t.run_id = j.run_id and t.snapshot = j.snapshot and t.entry = j.entry
        and t.direction = d.direction
    where list_contains(j.asked, d.direction)
        or (t.bytes_moved > 0 or t.ios > 0) and (d.direction <> 'mixed' or j.asked = ['mixed'])
), measured as (
    select s.* from fio_lat_summary s
    where s.kind in ('lat', 'clat') and s.mean_ns > 0
    qualify row_number() over (partition by run_id, snapshot, entry, direction order by kind desc) = 1
)
select p.run_id, p.entry, p.path, coalesce(p.direction_line, p.line) as line, p.group_id, p.client, p.name, p.jobs,
    p.direction,
    case when p.bs is not null then fio_size(coalesce(nullif(trim(string_split(p.bs, ',')[
        least(case p.direction when 'write' then 2 when 'trim' then 3 else 1 end, len(string_split(p.bs, ',')))]), ''), '4k'),
        p.kb_base) end as block_bytes,
    p.is_printed, p.bytes_moved, p.ios, p.direction_ms as runtime_ms,
    p.bytes_moved * 1000 / nullif(p.direction_ms, 0) as bandwidth_bps,
    coalesce(p.ios * 1000 / nullif(p.direction_ms, 0), p.printed_iops) as iops,
    p.printed_bandwidth_bps, p.printed_iops, m.kind as lat_kind, m.mean_ns / 1000 as lat_mean_us,
    m.max_ns / 1000 as lat_max_us, coalesce(m.samples, p.ios, p.printed_iops * p.direction_ms / 1000) as lat_samples
from part p
left join measured m on m.run_id = p.run_id and m.snapshot = p.snapshot and m.entry = p.entry
    and m.direction = p.direction
