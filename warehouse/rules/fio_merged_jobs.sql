-- title: Different jobs in one group
-- severity: info
-- applies to: fio runs
-- basis: I3 of the fio fair-run rules: group_reporting prints the options of the last job of a group and the name of the first; where the jobs differ the options are unknown
-- why: The pattern, block size and depth that are printed are not those of the numbers.
-- remedy: Leave group_reporting out, or give each kind of job a group of its own with new_group.
-- false positives: Equal jobs of which one moved short blocks.
select j.path as subject,
    'group ' || coalesce(j.group_id::varchar, '?') || ' holds different jobs, named ' || any_value(j.name)
        || ': pattern, block size and depth of ' || count(*) || case count(*) when 1 then ' entry' else ' entries' end || ' are unknown' as message,
    j.path, min(j.line) as line, null::varchar as value, null::varchar as limit_value
from fio_job j
join fio_run r using (run_id)
where j.is_mixed_group and r.is_counted
group by j.run_id, j.path, j.group_id
