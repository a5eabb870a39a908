-- The jobs of every fio run: entries of the last document, "All clients" left out, with their
-- effective options. What fio leaves out of a complete list of options has fio's default.
-- stored
-- run_id | - | run
-- snapshot | - | document
-- entry | - | position in the document
-- path | - | file
-- line | - | first line of the entry
-- group_id | - | jobs of one group run together; NULL: not printed
-- client | - | hostname:port, or local; a name alone, or none, where text does not tell clients apart
-- name | - | name of the job; of the first job where a group is merged
-- error | - | errno as logged
-- total_errors | errors | with continue_on_error
-- rw | - | pattern that was asked for; NULL: not printed, or those of other jobs in a merged group
-- ioengine | - | I/O engine
-- iodepth | - | depth that was asked for
-- numjobs | jobs | clones that were asked for
-- jobs | jobs | jobs behind this entry; NULL: unknown
-- is_merged | - | group_reporting merged several jobs into this entry
-- is_mixed_group | - | the merged jobs were different: the options are those of the last one
-- bs | - | block size as written
-- kb_base | - | what k means in sizes
-- is_direct | - | past the page cache; NULL: not printed
-- size_bytes | B | size of one job's I/O region
-- runtime_asked_s | s | run time that was asked for
-- ramp_asked_s | s | ramp time that was asked for
-- is_time_based | - | time_based is set; absence proves nothing before fio 3.39
-- bytes_moved | B | of all directions
-- runtime_ms | ms | longest run time of the directions
-- job_runtime_ms | ms | sum over the merged jobs
-- job_start_ms | ms | start of the job since 1970
-- usr_cpu_pct | % | user time of the jobs
-- sys_cpu_pct | % | system time of the jobs
-- is_steady | - | steady state was attained
-- depth_shares | - | JSON: share of I/Os by depth level
-- options | - | JSON: the effective options
-- asked | - | directions that the pattern asks for
with moved as (
    select t.run_id, t.entry, nullif(max(t.runtime_ms), 0) as runtime_ms,
        list(t.direction order by t.direction) filter ((t.ios > 0 or t.bytes_moved > 0) and t.direction not in ('sync', 'mixed'))
            as separate,
        list(t.direction) filter ((t.ios > 0 or t.bytes_moved > 0) and t.direction = 'mixed') as together,
        coalesce(sum(t.bytes_moved) filter (t.direction <> 'mixed'), sum(t.bytes_moved)) as bytes_moved,
        sum(t.bytes_moved) / nullif(sum(t.ios) filter (t.direction <> 'sync'), 0) as mean_block_bytes, bool_or(t.direction = 'mixed') and not bool_or(t.direction = 'read') as is_unified
    from fio_transfer t
    join fio_run r on r.run_id = t.run_id and r.snapshot = t.snapshot
    group by t.run_id, t.entry
), printed as (
    select e.*, r.path, r.form = 'json' as has_defaults, m.runtime_ms, m.bytes_moved, coalesce(m.separate, m.together) as directions,
        m.mean_block_bytes, m.is_unified,
        coalesce(e.hostname || coalesce(':' || e.port, ''),
            case when r.is_client_server then 'client not told' else 'local' end) as client,
        count(*) over (partition by e.run_id, e.hostname, e.port, e.group_id, e.name) as clones,
        json_extract_string(e.options, '$.kb_base') as kb_base
    from fio_entry e
    join fio_run r on r.run_id = e.run_id and r.snapshot = e.snapshot
    left join moved m on m.run_id = e.run_id and m.entry = e.entry
    where not e.is_total
), asked as (
    select *,
        lower(split_part(coalesce(json_extract_string(options, '$.rw'), json_extract_string(options, '$.readwrite'),
            case when options is not null then 'read' end), ':', 1)) as rw,
        coalesce(json_extract_string(options, '$.ioengine'), case when options is not null and has_defaults then 'psync' end)
            as ioengine,
        coalesce(try_cast(json_extract_string(options, '$.iodepth') as integer),
            case when options is not null and has_defaults then 1 end) as iodepth,
        coalesce(try_cast(json_extract_string(options, '$.numjobs') as integer),
            case when options is not null and has_defaults then 1 end) as numjobs,
        coalesce(json_extract_string(options, '$.bs'), json_extract_string(options, '$.blocksize'),
            case when options is not null and json_extract_string(options, '$.bsrange') is null
                and json_extract_string(options, '$.bssplit') is null then '4k' end) as bs,
        case when json_extract_string(options, '$.direct') is not null
                then json_extract_string(options, '$.direct') not in ('0', 'false')
            when json_extract_string(options, '$.buffered') is not null
                then json_extract_string(options, '$.buffered') in ('0', 'false')
            when options is not null and has_defaults then false end as is_direct,
        job_runtime_ms / runtime_ms as members_run
    from printed
), directed as (
    select *, clones < numjobs or coalesce(members > 1, false)
            or coalesce(json_extract_string(options, '$.group_reporting') not in ('0', 'false'), false) as is_merged,
        case when rw is null then directions
            when is_unified then ['mixed']
            when rw in ('read', 'randread') then ['read']
            when rw in ('write', 'randwrite') then ['write']
            when rw in ('trim', 'randtrim') then ['trim']
            when rw in ('rw', 'readwrite', 'randrw') then ['read', 'write']
            when rw in ('trimwrite', 'randtrimwrite') then ['trim', 'write']
            else directions end as asked
    from asked
), judged_group as (
    select *, coalesce(is_merged and form_has_members and (
            not list_has_all(asked, coalesce(directions, []))
            or members_run > numjobs + 0.5
            or abs(mean_block_bytes / fio_size(bs, kb_base) - 1) > 0.1
                and len(asked) = 1 and coalesce(directions, []) = asked), false) as is_mixed_group
    from (select *, has_defaults and options is not null as form_has_members from directed)
)
select run_id, snapshot, entry, path, line, group_id, client, name, error, total_errors,
    case when not is_mixed_group then rw end as rw, ioengine,
    case when not is_mixed_group then iodepth end as iodepth, numjobs,
    case when members is not null then members
        when is_mixed_group then try_cast(nullif(round(members_run), 0) as bigint)
        when not coalesce(is_merged, false) and numjobs is not null then 1
        when clones > 1 and clones = numjobs then 1
        else numjobs end as jobs,
    coalesce(is_merged, false) as is_merged, is_mixed_group,
    case when not is_mixed_group then bs end as bs, kb_base, is_direct,
    fio_size(json_extract_string(options, '$.size'), kb_base) as size_bytes,
    fio_seconds(json_extract_string(options, '$.runtime')) as runtime_asked_s,
    fio_seconds(json_extract_string(options, '$.ramp_time')) as ramp_asked_s,
    json_extract_string(options, '$.time_based') not in ('0', 'false') as is_time_based,
    bytes_moved, runtime_ms, job_runtime_ms, job_start_ms, usr_cpu_pct, sys_cpu_pct, is_steady, depth_shares, options,
    case when not is_mixed_group then asked else coalesce(directions, asked) end as asked
from judged_group
