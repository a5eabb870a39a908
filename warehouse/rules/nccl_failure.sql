-- title: nccl-tests ended with a failure
-- severity: error
-- applies to: nccl-tests runs
-- basis: self-check of nccl-tests outputs: a failure line means that what follows was not measured
-- why: The rows before a failure are real; the run as a whole is not, and its average is missing.
-- remedy: Mend the cause that the line names and run the test again.
-- false positives: None known.
select r.system || '/' || coalesce(r.collective, 'no collective') as subject,
    'the run ended with: ' || n.text || '; ' || r.rows || ' rows before it are kept' as message, r.path, n.line,
    r.rows::varchar as value, null::varchar as limit_value
from nccl_run r
join nccl_note n using (run_id)
where n.kind in ('failure', 'timeout') and r.is_counted
qualify row_number() over (partition by r.run_id order by n.line) = 1
