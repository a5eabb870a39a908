-- title: Random patterns that repeat
-- severity: graded
-- applies to: fio runs
-- basis: W19 of the fio fair-run rules: randrepeat=0 or a seed of its own for each run; norandommap named where set
-- why: With the default seed every run reads the same blocks in the same order: a later one may find them in a cache of the storage. Without a map some blocks are read twice and others never.
-- remedy: Set randrepeat=0, or another randseed for each run.
-- false positives: Storage without a cache, or with a working set far beyond it; a comparison that wants the same order.
with tested as (
    select r.run_id, r.path, r.line, r.collection, r.system, r.series,
        json_extract_string(j.options, '$.randrepeat') not in ('0', 'false') is not false
            and json_extract_string(j.options, '$.randseed') is null as is_repeated,
        json_extract_string(j.options, '$.norandommap') not in ('0', 'false') as has_no_map
    from fio_result r
    join fio_job j on j.run_id = r.run_id and j.group_id is not distinct from r.group_id
    where r.status = 'complete' and r.form = 'json' and j.options is not null and j.rw like 'rand%'
), grouped as (
    select fio_subject(system, series, collection, path) as subject, count(distinct run_id) as runs, coalesce(bool_or(is_repeated), false) as is_repeated,
        coalesce(bool_or(has_no_map), false) as has_no_map, min(path) as path, arg_min(line, (path, line)) as line
    from tested
    group by subject
)
select case when is_repeated and runs > 1 then 'warning' else 'info' end as severity, subject,
    concat_ws('; ', case when is_repeated and runs > 1 then 'randrepeat is not 0: ' || runs || ' runs read or write the same blocks in the same order' end,
        case when has_no_map then 'norandommap is set: some blocks are met twice and others never' end) as message,
    path, line, runs::varchar || case runs when 1 then ' run' else ' runs' end as value, null::varchar as limit_value
from grouped
where is_repeated and runs > 1 or has_no_map
