-- title: Outputs that break off
-- severity: error
-- applies to: fio runs
-- basis: E6 of the fio fair-run rules: the document is whole, and the last one of several is the end of the run
-- why: What follows the cut is lost: jobs, clients, or all after the last --status-interval.
-- remedy: Load the whole file, or run again.
-- false positives: None known.
select f.path as subject, f.message, f.path, f.line, f.value, f.limit_value
from fio_fault f
join fio_run r using (run_id)
where f.fault = 'truncated' and r.is_counted
