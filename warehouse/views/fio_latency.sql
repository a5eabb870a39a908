-- Latency percentiles of every fio result. One job: as logged. Several: from the bins of json+ or of
-- histogram logs, merged, where every job has them; else the range of the jobs, never an average.
-- run_id | - | run
-- path | - | file
-- line | - | line of the first of the numbers
-- collection | - | source.toml that governs the file
-- system | - | storage system
-- series | - | series of the result
-- group_id | - | jobs of one group run together
-- direction | - | read, write, trim or mixed
-- kind | - | slat (submission), clat (completion) or lat (both)
-- percentile | - | 99 means that 99 % of the I/Os took no longer
-- value_us | us | NULL: only the range is known
-- low_us | us | smallest of the jobs
-- high_us | us | largest of the jobs
-- how | - | logged, merged or range
-- jobs_merged | - | entries behind it
-- clients | clients | clients of the result
-- jobs | jobs | jobs of all clients
-- iodepth | - | depth that was asked for
-- block_bytes | B | block size that was asked for
-- status | - | status of the result
with logged as (
    select t.run_id, t.group_id, t.direction, p.kind, p.percentile, min(p.value_ns) / 1000 as low_us,
        max(p.value_ns) / 1000 as high_us, count(*) as entries, min(p.line) as line
    from fio_job_result t
    join fio_run r on r.run_id = t.run_id
    join fio_lat_percentile p on p.run_id = t.run_id and p.snapshot = r.snapshot and p.entry = t.entry
        and p.direction = t.direction
    group by t.run_id, t.group_id, t.direction, p.kind, p.percentile
), binned as (
    select t.run_id, t.group_id, t.direction, b.kind, b.value_ns, b.ios, t.entry, b.line
    from fio_job_result t
    join fio_run r on r.run_id = t.run_id
    join fio_lat_bin b on b.run_id = t.run_id and b.snapshot = r.snapshot and b.entry = t.entry
        and b.direction = t.direction
), hist as (
    select t.run_id, t.group_id, b.direction, 'clat' as kind, b.value_ns, b.ios, b.run_id as entry, b.line
    from fio_log_link l
    join fio_log_bin b on b.run_id = l.run_id
    join (select run_id, any_value(group_id) as group_id, sum(jobs) as jobs, count(distinct group_id) as groups
        from fio_job group by run_id) t on t.run_id = l.fio_run_id
    where l.measure = 'clat_hist' and t.groups = 1 and l.logs = t.jobs
        and not exists (select 1 from binned n where n.run_id = l.fio_run_id and n.kind = 'clat')
), every_bin as (
    select * from binned union all select * from hist
), bins as (
    select run_id, group_id, direction, kind, value_ns, sum(ios) as ios, min(line) as line
    from every_bin
    group by run_id, group_id, direction, kind, value_ns
), complete_bins as (
    select run_id, group_id, direction, kind, count(distinct entry) as entries
    from every_bin
    group by run_id, group_id, direction, kind
), counted as (
    select *, sum(ios) over (by_value rows unbounded preceding) as below, sum(ios) over everything as total,
        min(line) over everything as first_line
    from bins
    window by_value as (partition by run_id, group_id, direction, kind order by value_ns),
        everything as (partition by run_id, group_id, direction, kind)
), merged as (
    select c.run_id, c.group_id, c.direction, c.kind, q.percentile, min(c.value_ns) / 1000 as value_us, any_value(c.first_line) as line
    from counted c
    join (select distinct run_id, group_id, direction, percentile from logged
        union select run_id, group_id, direction, percentile from (select distinct run_id, group_id, direction from bins)
            cross join (values (50.0), (90.0), (95.0), (99.0), (99.9), (99.99)) s (percentile)) q
        on q.run_id = c.run_id and q.group_id is not distinct from c.group_id and q.direction = c.direction
    where c.below >= q.percentile / 100 * c.total
    group by c.run_id, c.group_id, c.direction, c.kind, q.percentile
), entries as (
    select run_id, group_id, direction, count(*) as entries from fio_job_result where coalesce(ios, bytes_moved) > 0 group by run_id, group_id, direction
), said as (
    select coalesce(l.run_id, m.run_id) as run_id, coalesce(l.group_id, m.group_id) as group_id,
        coalesce(l.direction, m.direction) as direction, coalesce(l.kind, m.kind) as kind,
        coalesce(l.percentile, m.percentile) as percentile, coalesce(l.line, m.line) as line,
        m.value_us as merged_us, l.low_us, l.high_us, l.entries
    from logged l
    full join merged m on m.run_id = l.run_id and m.group_id is not distinct from l.group_id
        and m.direction = l.direction and m.kind = l.kind and m.percentile = l.percentile
)
select s.run_id, r.path, s.line, r.collection, r.system, r.series, s.group_id, s.direction, s.kind, s.percentile,
    case h.how when 'logged' then s.low_us when 'merged' then s.merged_us end as value_us, s.low_us, s.high_us, h.how,
    case h.how when 'merged' then b.entries else s.entries end as jobs_merged,
    r.clients, r.jobs, r.iodepth, r.block_bytes, r.status
from said s
join entries e on e.run_id = s.run_id and e.group_id is not distinct from s.group_id and e.direction = s.direction
join fio_result r on r.run_id = s.run_id and r.group_id is not distinct from s.group_id and r.direction = s.direction
left join complete_bins b on b.run_id = s.run_id and b.group_id is not distinct from s.group_id
    and b.direction = s.direction and b.kind = s.kind
cross join lateral (
    select case when s.entries = 1 and e.entries = 1 then 'logged' when b.entries >= e.entries then 'merged' else 'range' end as how
) h
where s.entries is not null or h.how = 'merged'
