-- The log files of fio and the run each belongs to: the output whose folder of the same name holds it, or
-- whose options name it. A log that several outputs could have written belongs to none.
-- stored
-- run_id | - | run of the log file
-- path | - | log file
-- collection | - | source.toml that governs the file
-- system | - | storage system
-- measure | - | bw, iops, slat, clat, lat or clat_hist
-- log_name | - | name that the job file gave
-- job | - | number of the job; NULL: all in one file
-- host | - | client that wrote it; NULL: a local run
-- layout | - | the columns, in order
-- fio_run_id | - | run whose log it is; NULL: cannot be told
-- fio_path | - | its file
-- release | - | fio release of that run, as in fio_run
-- is_ns | - | latencies are nanoseconds (from fio 2.99); NULL: cannot be told
-- logs | - | log files of that run with this measure
with log as (
    select l.*, s.path, r.collection, coalesce(r.system, 'unassigned') as system,
        regexp_replace(s.path, '[^/!]*$', '') as folder
    from fio_log l
    join run r using (run_id)
    join source s using (source_id)
    qualify dense_rank() over (partition by r.collection, s.path order by r.source_id desc) = 1
), named as (
    select distinct j.run_id, regexp_extract(json_extract_string(j.options, '$.' || o.name), '[^/\\]*$') as log_name, o.measures
    from fio_job j
    cross join (values ('write_bw_log', ['bw']), ('write_iops_log', ['iops']), ('write_hist_log', ['clat_hist']),
        ('write_lat_log', ['slat', 'clat', 'lat'])) o (name, measures)
    where json_extract_string(j.options, '$.' || o.name) is not null
), candidate as (
    select l.run_id, f.run_id as fio_run_id, f.path as fio_path, f.release,
        case when l.folder = regexp_replace(f.path, '\.[^./!]*$', '') || '/' then 1
            when l.folder = regexp_replace(f.path, '[^/!]*$', '') then 2 else 3 end as distance
    from log l
    join fio_run f on f.collection = l.collection and f.is_counted
        and starts_with(l.folder, regexp_replace(f.path, '[^/!]*$', ''))
    left join named n on n.run_id = f.run_id and n.log_name = l.log_name and list_contains(n.measures, l.measure)
    where n.run_id is not null or l.folder = regexp_replace(f.path, '\.[^./!]*$', '') || '/'
), nearest as (
    select * from candidate qualify distance = min(distance) over (partition by run_id)
), linked as (
    select run_id, any_value(fio_run_id) as fio_run_id, any_value(fio_path) as fio_path, any_value(release) as release
    from nearest
    group by run_id
    having count(*) = 1
)
select l.run_id, l.path, l.collection, l.system, l.measure, l.log_name, l.job, l.host, l.layout, k.fio_run_id,
    k.fio_path, k.release,
    case when l.layout like '%priority%' then true when l.bins is not null then true when k.release is not null then k.release >= 2099 end as is_ns,
    count(*) over (partition by k.fio_run_id, l.measure) as logs
from log l
left join linked k using (run_id)
