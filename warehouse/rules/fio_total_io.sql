-- title: Bytes against the working set
-- severity: graded
-- applies to: fio runs
-- basis: W14 of the fio fair-run rules: the jobs move at least the working set once; more than that were read again; threshold fio_reread_factor
-- why: What is read a second time may come from a cache of the storage system; what is never read was not tested.
-- remedy: Use files so large that no block is read twice within the run, or larger than the cache of the storage system.
-- false positives: A storage system without a cache; random reads, which never touch every block. Whether clients share files is not known: each is taken to have its own.
with summed as (
    select run_id, group_id, case when count(working_set_bytes) = count(*) then sum(working_set_bytes) end as working_set_bytes
    from fio_working_set
    group by run_id, group_id
), moved as (
    select r.run_id, r.collection, r.system, r.series, r.path, min(r.line) as line, sum(r.bytes_moved) / any_value(w.working_set_bytes) as passes,
        bool_or(r.direction in ('read', 'mixed')) as has_reads
    from fio_result r
    join summed w on w.run_id = r.run_id and w.group_id is not distinct from r.group_id
    where r.status = 'complete' and w.working_set_bytes > 0
    group by r.run_id, r.group_id, r.collection, r.system, r.series, r.path
), tested as (
    select *, case when passes > limit_of('fio_reread_factor') and has_reads then 'again' when passes < 1 then 'part' end as what
    from moved
), counted as (
    select *, count(*) over (partition by collection, system, coalesce(series, path)) as results from tested
)
select case what when 'again' then 'warning' else 'info' end as severity,
    fio_subject(system, series, collection, path) as subject,
    count(*) || ' of ' || any_value(results) || case any_value(results) when 1 then ' result moved ' else ' results moved ' end
        || fio_range(round(min(passes), 2), round(max(passes), 2)) || ' times the working set: '
        || case what when 'again' then 'what was read again may come from a cache of the storage' else 'a part of it was never touched' end as message,
    min(path) as path, arg_min(line, (path, line)) as line, round(case what when 'again' then max(passes) else min(passes) end, 2)::varchar as value,
    case what when 'again' then limit_said('fio_reread_factor') else '1' end as limit_value
from counted
where what is not null
group by subject, what
