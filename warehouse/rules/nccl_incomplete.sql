-- title: nccl-tests output without its end
-- severity: warning
-- applies to: nccl-tests runs
-- basis: self-check of nccl-tests outputs: every complete run prints its out-of-bounds count and average
-- why: Without the end nobody knows whether larger sizes or wrong results followed.
-- remedy: Load the complete output, or run the test again.
-- false positives: An excerpt that was published on purpose.
select r.system || '/' || coalesce(r.collective, 'no collective') as subject,
    'no line with the average: the output breaks off, ' || r.rows || ' rows are kept' as message, r.path, r.line,
    r.rows::varchar as value, null::varchar as limit_value
from nccl_run r
where r.is_counted and r.status in ('unfinished', 'aborted') and r.form in ('text', 'json')
    and not exists (select 1 from nccl_note n where n.run_id = r.run_id and n.kind in ('failure', 'timeout'))
