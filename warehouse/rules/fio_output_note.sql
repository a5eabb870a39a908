-- title: What fio said beside the numbers
-- severity: error
-- applies to: fio runs
-- basis: E5 of the fio fair-run rules: no err=, got signal=, terminating on signal, lost client or failed verification in the text outside the numbers
-- why: After a signal, or with a worker killed, fio prints a complete looking result with error 0; only the text tells.
-- remedy: Mend what the line says and run again; do not stop a run by hand, give it a runtime.
-- false positives: A note that an earlier run left in the same file.
select r.path as subject,
    arg_min(f.message, f.line) || case count(*) when 1 then '' when 2 then ' (and one more such line)'
        else ' (and ' || count(*) - 1 || ' more such lines)' end as message,
    r.path, min(f.line) as line, f.value, null::varchar as limit_value
from fio_fault f
join fio_run r using (run_id)
where f.fault = 'note' and r.is_counted
group by r.run_id, r.path, f.value
