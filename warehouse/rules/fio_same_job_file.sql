-- title: Job files that differ
-- severity: graded
-- applies to: fio runs
-- basis: W12 of the fio fair-run rules: the same job file on all clients and at all points of a series, less names, files, clients, jobs, depth and block size; threshold fio_near_options
-- why: Points of different job files make no curve. One option that was forgotten at one point takes it out of its series.
-- remedy: Run the odd ones again with the job file of the others; if two tests were meant, give them two names.
-- false positives: Two tests that are meant to differ in one option: where both have the same points it is only an information. Files without the name of a system are not compared.
with option as (
    select distinct f.series, r.collection, r.system, split_part(w.word, '=', 1) as name, w.word
    from fio_job_file f
    join fio_result r on r.run_id = f.run_id and r.group_id is not distinct from f.group_id
    cross join lateral (select unnest(string_split(f.fixed_options, ' ')) as word) w
    where r.status = 'complete' and f.is_same_for_all and r.system <> 'unassigned'
), sized as (
    select collection, system, series, any_value(rw) as rw, count(*) as results, min(path) as path, arg_min(line, (path, line)) as line,
        list(distinct (clients, jobs, iodepth, block_bytes)::varchar) as points
    from fio_result
    where status = 'complete' and series is not null
    group by collection, system, series
), paired as (
    select s.*, m.series as main_series, m.points as main_points
    from sized s
    join sized m on m.collection = s.collection and m.system = s.system and m.rw = s.rw
        and (m.results, m.series) > (s.results, s.series)
    where s.series in (select series from option) and m.series in (select series from option)
), differing as (
    select p.collection, p.system, p.series, p.main_series, n.name,
        max(o.word) filter (o.series = p.series) as own, max(o.word) filter (o.series = p.main_series) as main
    from paired p
    join option o on o.collection = p.collection and o.system = p.system and o.series in (p.series, p.main_series)
    cross join lateral (select o.name) n
    group by p.collection, p.system, p.series, p.main_series, n.name
    having own is distinct from main
), nearest as (
    select collection, system, series, main_series, count(*) as options,
        string_agg(coalesce(own, name || ' not set') || ' against ' || coalesce(main, name || ' not set'), ', ' order by name) as said
    from differing
    group by collection, system, series, main_series
    having count(*) <= limit_of('fio_near_options')
    qualify row_number() over (partition by collection, system, series order by count(*), main_series) = 1
)
select 'warning' as severity, r.path as subject,
    'the jobs of this run have different job files: ' || f.fixed_options as message,
    r.path, min(r.line) as line, null::varchar as value, null::varchar as limit_value
from fio_job_file f
join fio_result r on r.run_id = f.run_id and r.group_id is not distinct from f.group_id
where not f.is_same_for_all and r.status = 'complete'
group by r.run_id, r.path, f.fixed_options
union all
select case when list_has_any(p.points, p.main_points) then 'info' else 'warning' end,
    fio_subject(p.system, p.series, p.collection, p.path),
    'differs from ' || p.main_series || ' of the same system only in ' || n.said
        || case when list_has_any(p.points, p.main_points) then '' else '; no point of it is measured there: it may belong to that curve' end,
    p.path, p.line, n.options::varchar || case n.options when 1 then ' option' else ' options' end, null
from nearest n
join paired p on p.collection = n.collection and p.system = n.system and p.series = n.series and p.main_series = n.main_series
