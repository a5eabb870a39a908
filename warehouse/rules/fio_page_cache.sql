-- title: Reads that the disk never saw
-- severity: warning
-- applies to: fio runs
-- basis: W3 of the fio fair-run rules: in a local run without direct the disks read about as many bytes as the jobs; thresholds fio_disk_share_pct, fio_disk_read_bytes
-- why: Bytes that no disk read came from memory: the number is that of the page cache.
-- remedy: Set direct=1, or use files of twice the memory; leave out pre_read and invalidate=0.
-- false positives: A disk that fio did not list, as on some network and stacked file systems.
with moved as (
    select j.run_id, j.snapshot, any_value(j.path) as path, sum(t.bytes_moved) as bytes_read, min(t.line) as line
    from fio_job j
    join fio_transfer t on t.run_id = j.run_id and t.snapshot = j.snapshot and t.entry = j.entry and t.direction = 'read'
    where j.run_id in (select run_id from fio_result where status = 'complete' and not is_client_server)
    group by j.run_id, j.snapshot
    having not bool_or(coalesce(j.is_direct, true))
), disks as (
    select run_id, snapshot, sum(read_ios) as read_ios,
        sum(coalesce(read_bytes, read_ios * limit_of('fio_disk_read_bytes'))) as most_bytes
    from fio_disk
    group by run_id, snapshot
)
select m.path as subject,
    'the jobs read ' || round(m.bytes_read / 1e6, 1) || ' MB, the disks at most ' || round(d.most_bytes / 1e6, 1) || ' MB in '
        || try_cast(d.read_ios as bigint) || ' reads: the rest came from the page cache' as message,
    m.path, m.line, round(d.most_bytes / m.bytes_read * 100, 1)::varchar || ' %' as value,
    limit_said('fio_disk_share_pct') as limit_value
from moved m
join disks d on d.run_id = m.run_id and d.snapshot = m.snapshot
where d.most_bytes < m.bytes_read * limit_of('fio_disk_share_pct') / 100
