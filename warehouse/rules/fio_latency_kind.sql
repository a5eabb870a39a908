-- title: Percentiles of another latency
-- severity: info
-- applies to: fio runs
-- basis: I2 of the fio fair-run rules: percentiles are those of clat unless lat_percentiles is set; the kind is stored with each
-- why: Completion latency leaves out the time to submit: the percentiles of two kinds do not compare.
-- remedy: Compare only percentiles of one kind; set lat_percentiles alike in all job files.
-- false positives: None known.
with kinds as (
    select t.run_id, t.group_id, t.direction, min(p.line) as line
    from fio_job_result t
    join fio_run r on r.run_id = t.run_id
    join fio_lat_percentile p on p.run_id = t.run_id and p.snapshot = r.snapshot and p.entry = t.entry and p.direction = t.direction
    group by t.run_id, t.group_id, t.direction
    having bool_or(p.kind = 'lat') and not bool_or(p.kind = 'clat')
)
select fio_subject(r.system, r.series, r.collection, r.path) as subject,
    'the percentiles of ' || count(distinct r.run_id) || case count(distinct r.run_id) when 1 then ' run' else ' runs' end
        || ' are of lat (submission and completion), not of clat' as message,
    min(r.path) as path, arg_min(k.line, (r.path, k.line)) as line, 'lat' as value, 'clat' as limit_value
from kinds k
join fio_result r on r.run_id = k.run_id and r.group_id is not distinct from k.group_id and r.direction = k.direction
where r.status = 'complete'
group by subject
