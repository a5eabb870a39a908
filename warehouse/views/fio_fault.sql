-- Why a fio run is no plain good number: errors, killed workers, interrupted and truncated runs, lost
-- clients, dead and missing jobs. The status of a result follows from these rows.
-- stored
-- run_id | - | run
-- group_id | - | group that it concerns; NULL: all of the run
-- fault | - | error, dead_job, missing_job, lost_client, note, truncated, unknown_number or short
-- effect | - | failed, interrupted or incomplete
-- message | - | what is wrong, in one sentence
-- path | - | file of the evidence
-- line | - | its line
-- value | - | what was found
-- limit_value | - | what it was held against
with found_clients as (
    select run_id, case when bool_and(client like '%:%') then max(by_name) else max(blocks) end as clients
    from (
        select j.run_id, j.client, count(distinct j.client) over (partition by j.run_id) as by_name,
            count(*) over (partition by j.run_id, j.name, j.group_id) as blocks
        from fio_job j
    )
    group by run_id
)
select j.run_id, j.group_id, 'error' as fault, 'failed' as effect,
    'job ' || j.name || ' on ' || j.client || ' ended with error ' || coalesce(nullif(j.error, 0), j.total_errors)
        || case when coalesce(j.error, 0) = 0 then ' (number of errors it went on after)' else '' end as message,
    j.path, j.line, coalesce(nullif(j.error, 0), j.total_errors)::varchar as value, '0' as limit_value
from fio_job j
where j.error <> 0 or j.total_errors > 0
union all
select t.run_id, t.group_id, 'dead_job', 'incomplete',
    'job ' || t.name || ' on ' || t.client || ' moved no bytes in the direction that it was asked for: ' || t.direction,
    t.path, t.line, '0', null
from fio_job_result t
join fio_run r on r.run_id = t.run_id
where coalesce(t.bytes_moved, t.ios, case when r.form = 'normal' and not t.is_printed then 0 end) = 0
union all
select j.run_id, j.group_id, 'missing_job', 'incomplete',
    'job ' || any_value(j.name) || ' on ' || j.client || ': ' || case when count(*) = 1
        then 'its merged jobs ran ' || round(max(j.job_runtime_ms / j.runtime_ms), 2) || ' run times in all'
        else count(*) || ' entries are there' end || ', numjobs is ' || max(j.numjobs),
    any_value(j.path), min(j.line),
    case when count(*) = 1 then round(max(j.job_runtime_ms / j.runtime_ms), 2)::varchar else count(*)::varchar end,
    max(j.numjobs)::varchar
from fio_job j
where not j.is_mixed_group
group by j.run_id, j.group_id, j.client, j.name
having case when count(*) > 1 then count(*) < max(j.numjobs)
    else bool_or(is_merged) and max(j.job_runtime_ms / j.runtime_ms) < max(j.numjobs) * 0.9 and max(j.numjobs) > 1 end
union all
select r.run_id, null, 'lost_client', 'incomplete',
    coalesce(f.clients, 0) || ' of ' || greatest(r.clients_planned, r.clients_named) || ' clients reported a result',
    r.path, r.line, coalesce(f.clients, 0)::varchar, greatest(r.clients_planned, r.clients_named)::varchar
from fio_run r
left join found_clients f using (run_id)
where r.is_client_server and greatest(r.clients_planned, r.clients_named) > coalesce(f.clients, 0)
union all
select r.run_id, null, 'lost_client', 'incomplete',
    'fio printed no sum over all clients behind its ' || count(*) filter (not e.is_total)
        || ' entries: at least one result did not arrive',
    r.path, min(e.line), count(*) filter (not e.is_total)::varchar, null
from fio_run r
join fio_entry e on e.run_id = r.run_id and e.snapshot = r.snapshot
left join fio_job j on j.run_id = e.run_id and j.entry = e.entry
where r.is_client_server and r.form = 'json' and r.is_complete
group by r.run_id, r.path, r.clients_named
-- no sum is printed where a client failed, or where each client merged several job sections into one
having count(*) filter (not e.is_total) > 1 and not coalesce(arg_max(e.is_total, e.entry), false)
    and not bool_or(e.error <> 0)
    and not (coalesce(bool_and(j.is_mixed_group), false) and not bool_or(e.is_total)
        and count(distinct j.client) = r.clients_named)
union all
select n.run_id, null, 'note', case n.kind when 'interrupted' then 'interrupted'
        when 'disconnected' then 'incomplete' else 'failed' end,
    'fio printed: ' || n.text, r.path, n.line, n.kind, null
from fio_note n
join fio_run r using (run_id)
where n.kind in ('error', 'killed', 'interrupted', 'disconnected', 'verify', 'refused')
union all
select f.run_id, null, 'truncated', 'incomplete', coalesce(p.reason, 'the output breaks off: what follows is lost'), f.path,
    coalesce(p.line, f.line), nullif(p.excerpt, ''), null
from fio_run f
join run u using (run_id)
left join problem p on p.source_id = u.source_id and p.severity in ('error', 'warning')
where not f.is_complete or f.status = 'unfinished' or p.line between u.first_line and u.last_line
union all
select t.run_id, t.group_id, 'unknown_number', 'incomplete',
    'bytes or run time of job ' || t.name || ' on ' || t.client || ' cannot be told (' || t.direction || ')', t.path, t.line, null, null
from fio_job_result t
where t.is_printed and (t.bytes_moved is null or t.runtime_ms is null) and (t.ios > 0 or t.bytes_moved > 0 or t.runtime_ms > 0)
union all
select j.run_id, j.group_id, 'short', 'interrupted',
    'job ' || j.name || ' on ' || j.client || ' ran ' || round(j.runtime_ms / 1000, 1) || ' s of '
        || j.runtime_asked_s || ' s although ' || case when j.is_time_based then 'time_based is set' else 'it moved more than its size' end,
    j.path, j.line, round(j.runtime_ms / 1000, 1)::varchar, j.runtime_asked_s::varchar
from fio_job j
where (j.is_time_based or j.bytes_moved > j.size_bytes * coalesce(j.jobs, 1) * 1.01) and j.runtime_ms / 1000 < limit_of('fio_runtime_share_pct') / 100 * j.runtime_asked_s and coalesce(j.error, 0) = 0
    and not coalesce(j.is_steady, false) and json_extract_string(j.options, '$.number_ios') is null
    and json_extract_string(j.options, '$.io_size') is null
    and json_extract_string(j.options, '$.latency_target') is null
