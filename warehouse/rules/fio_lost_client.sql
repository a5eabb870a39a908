-- title: Clients that are missing or change
-- severity: graded
-- applies to: fio runs
-- basis: E2 of the fio fair-run rules: as many clients report as were planned, and the same ones in all runs of a series; axboe/fio client.c leaves a lost client out
-- why: fio leaves a lost client out of the result without a word, often with exit status 0: the rest look like a slower system, or like a faster client.
-- remedy: Say clients = N in source.toml or with --clients; look at the servers, and run again with the same ones.
-- false positives: A series that was measured with other clients on purpose; a result whose first part was cut away.
select 'error' as severity, f.path as subject, f.message, f.path, f.line, f.value, f.limit_value
from fio_fault f
join fio_run r using (run_id)
where f.fault = 'lost_client' and r.is_counted
union all
select 'warning', w.path,
    'client ' || string_agg(c.client, ', ' order by c.client) || ' took no part in the run with the most clients of the series, '
        || any_value(w.widest_path),
    w.path, min(c.line), string_agg(c.client, ', ' order by c.client), any_value(w.widest)::varchar || ' clients'
from (
    select *, first_value(run_id) over most as widest_run, first_value(path) over most as widest_path,
        first_value(clients) over most as widest
    from fio_result
    where status = 'complete' and is_client_server and series is not null and clients > 0
    window most as (partition by collection, system, series order by clients desc, path, line)
) w
join fio_client c on c.run_id = w.run_id and c.group_id is not distinct from w.group_id and c.direction = w.direction
where c.client like '%:%' and c.client not in (select o.client from fio_job o where o.run_id = w.widest_run)
group by w.run_id, w.path
union all
select 'warning', r.path,
    case when r.is_client_server then any_value(s.clients) || ' clients reported, ' || r.clients_planned || ' were planned'
        else 'a local run, ' || r.clients_planned || ' clients were planned' end,
    r.path, r.line, case when r.is_client_server then any_value(s.clients)::varchar else '1' end, r.clients_planned::varchar
from fio_run r
join fio_result s using (run_id)
where r.is_counted and (s.clients > r.clients_planned or not r.is_client_server and r.clients_planned > 1)
group by r.run_id, r.path, r.line, r.is_client_server, r.clients_planned
union all
select 'info', fio_subject(system, any_value(series), collection, min(path)),
    case when count(*) > 1 then count(*) || ' runs over the network do' else 'this run over the network does' end
        || ' not say how many clients were planned: a lost one would leave no trace',
    min(path), arg_min(line, path), null, null
from (
    select r.collection, r.system, r.run_id, r.path, r.line, min(s.series) as series
    from fio_run r
    left join fio_result s on s.run_id = r.run_id
    where r.is_client_server and r.clients_planned is null and r.is_counted
        and not exists (select 1 from fio_fault f where f.run_id = r.run_id and f.fault = 'lost_client')
    group by r.collection, r.system, r.run_id, r.path, r.line
)
group by collection, system, coalesce(series, path)
