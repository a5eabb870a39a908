-- title: Data that a storage system can reduce
-- severity: graded
-- applies to: fio runs
-- basis: W18 of the fio fair-run rules: refill_buffers or buffer_compress_percentage is set where the storage compresses or deduplicates
-- why: Buffers that repeat, or hold zeros or a pattern, are reduced before they are stored: the number is then that of fewer bytes.
-- remedy: Set refill_buffers, or buffer_compress_percentage and dedupe_percentage to what the real data have.
-- false positives: Storage without inline reduction. The default buffers are random and only repeat: that alone is an information.
with tested as (
    select r.run_id, r.path, r.line, r.collection, r.system, r.series,
        json_extract_string(j.options, '$.zero_buffers') not in ('0', 'false') or json_extract_string(j.options, '$.buffer_pattern') is not null as is_plain
    from fio_result r
    join fio_job j on j.run_id = r.run_id and j.group_id is not distinct from r.group_id
    where r.status = 'complete' and r.form = 'json' and r.direction = 'write' and j.options is not null
        and (coalesce(json_extract_string(j.options, '$.refill_buffers'), '0') in ('0', 'false')
            and json_extract_string(j.options, '$.buffer_compress_percentage') is null
            and json_extract_string(j.options, '$.dedupe_percentage') is null)
)
select case when bool_or(is_plain) then 'warning' else 'info' end as severity,
    fio_subject(system, series, collection, path) as subject,
    case when bool_or(is_plain) then 'zero_buffers or buffer_pattern is set' else 'neither refill_buffers nor buffer_compress_percentage is set' end
        || ': what ' || count(distinct run_id) || case count(distinct run_id) when 1 then ' run' else ' runs' end
        || ' wrote can be reduced by the storage' as message,
    min(path) as path, arg_min(line, (path, line)) as line, null::varchar as value, null::varchar as limit_value
from tested
group by subject
