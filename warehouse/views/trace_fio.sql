-- From a fio series to its results, and the lines with the bytes and run time of each job. Relations called
-- trace_* are what the command `trace` reads.
-- subject | - | system/series, with @collection where there is one; the path of a result without options
-- place | - | order within the subject
-- detail | - | the test point and what it gave, in words
-- path | - | file
-- lines | - | lines of the direction in each job
-- run_id | - | run
select fio_subject(r.system, r.series, r.collection, r.path) as subject,
    row_number() over (partition by r.collection, r.system, r.series
        order by r.direction, r.jobs, r.clients, r.iodepth, r.block_bytes, r.path, r.group_id) as place,
    r.direction || ', ' || coalesce(r.clients || ' clients', 'clients not known') || ', ' || coalesce(r.jobs || ' jobs', 'jobs not known')
        || ', depth ' || coalesce(r.iodepth::varchar, 'not known') || ', ' || coalesce(try_cast(r.block_bytes as bigint) || ' B blocks', 'blocks not known')
        || ': ' || coalesce(fio_mbps(r.bandwidth_bps), 'no bandwidth') || ' in ' || coalesce(r.runtime_s || ' s', 'unknown time')
        || ', ' || r.status as detail,
    r.path, (select list(t.line order by t.line) from fio_job_result t where t.run_id = r.run_id
        and t.group_id is not distinct from r.group_id and t.direction = r.direction) as lines, r.run_id
from fio_result r
