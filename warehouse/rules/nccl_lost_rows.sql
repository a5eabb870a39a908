-- title: Rows of nccl-tests that could not be read
-- severity: warning
-- applies to: nccl-tests runs
-- basis: the rule of this project: nothing is lost silently
-- why: Other output in the middle of a row, or a cut, takes a measurement away; the peak may be among it.
-- remedy: Keep NCCL_DEBUG output in a file of its own (NCCL_DEBUG_FILE) and run the test again.
-- false positives: None known.
select r.system || '/' || coalesce(r.collective, 'no collective') as subject,
    r.rows_lost || ' rows could not be read, ' || r.rows || ' were' as message, r.path,
    coalesce((select min(n.line) from nccl_note n where n.run_id = r.run_id and n.kind = 'lost'), r.line) as line,
    r.rows_lost::varchar as value, '0' as limit_value
from nccl_run r
where r.is_counted and r.rows_lost > 0
