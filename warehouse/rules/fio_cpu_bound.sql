-- title: Clients whose processor is the limit
-- severity: graded
-- applies to: fio runs
-- basis: W15 of the fio fair-run rules: user and system time of a job under 90 %, and no more jobs on a client than it has cores; threshold fio_cpu_pct, cores from client_cores of source.toml
-- why: A job that fills its core measures the client, not the storage.
-- remedy: Use larger blocks, an asynchronous engine or more clients; leave verification and checksums out.
-- false positives: Engines that wait actively. More jobs than cores do no harm while they wait for the storage: that alone is an information.
with tested as (
    select r.run_id, r.collection, r.system, r.series, r.path, j.line, j.name, j.client, j.usr_cpu_pct + j.sys_cpu_pct as cpu_pct,
        sum(j.jobs) over (partition by j.run_id, j.group_id, j.client) as client_jobs, c.client_cores
    from fio_job j
    join (select distinct run_id, group_id, collection, system, series, path from fio_result where status = 'complete') r
        on r.run_id = j.run_id and r.group_id is not distinct from j.group_id
    join collection c on c.collection = r.collection
)
select 'warning' as severity, path as subject,
    'job ' || arg_max(name, cpu_pct) || ' on ' || arg_max(client, cpu_pct) || ' spent ' || round(max(cpu_pct), 1)
        || ' % of its time on the processor' as message,
    path, arg_max(line, cpu_pct) as line, round(max(cpu_pct), 1)::varchar || ' %' as value, limit_said('fio_cpu_pct') as limit_value
from tested
where cpu_pct > limit_of('fio_cpu_pct')
group by run_id, path
union all
select 'info', fio_subject(system, series, collection, path) as subject,
    count(distinct run_id) || case count(distinct run_id) when 1 then ' run has' else ' runs have' end || ' more jobs on a client than cores: up to '
        || max(client_jobs) || ' on ' || any_value(client_cores),
    min(path), arg_min(line, (path, line)), max(client_jobs)::varchar || ' jobs', any_value(client_cores)::varchar || ' cores'
from tested
where client_jobs > client_cores
group by subject
