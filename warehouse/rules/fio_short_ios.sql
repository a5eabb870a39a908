-- title: Short and dropped I/Os
-- severity: graded
-- applies to: fio runs
-- basis: E9 of the fio fair-run rules: short_ios and drop_ios are 0; the last I/O of each file may be short
-- why: Short and dropped I/Os count as operations but move less: rate and latency are then those of other blocks.
-- remedy: Make the size of the files a multiple of the block size; look for a full or failing file system.
-- false positives: One short I/O for each job is no more than an information.
select case when t.dropped_ios > 0 or t.short_ios > coalesce(j.jobs, 1) then 'error' else 'info' end as severity,
    j.path as subject,
    'job ' || j.name || ' on ' || j.client || ' (' || t.direction || '): '
        || concat_ws(', ', case when t.short_ios > 0 then try_cast(t.short_ios as bigint) || ' short' end,
            case when t.dropped_ios > 0 then try_cast(t.dropped_ios as bigint) || ' dropped' end)
        || ' of ' || try_cast(t.ios as bigint) || ' I/Os' as message,
    j.path, t.line, try_cast((coalesce(t.short_ios, 0) + coalesce(t.dropped_ios, 0)) as bigint)::varchar as value, '0' as limit_value
from fio_transfer t
join fio_job j on j.run_id = t.run_id and j.snapshot = t.snapshot and j.entry = t.entry
join fio_run r on r.run_id = j.run_id
where r.is_counted and (t.short_ios > 0 or t.dropped_ios > 0)
