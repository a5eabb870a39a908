-- title: Jobs that are missing
-- severity: error
-- applies to: fio runs
-- basis: E4 of the fio fair-run rules: numjobs entries of each job on every client; with group_reporting their run times add up
-- why: The bandwidth of seven jobs is not the bandwidth of eight.
-- remedy: Look for workers that were killed or never began, and run again.
-- false positives: Jobs that ended at different times because each had its own size to read.
select f.path as subject, f.message, f.path, f.line, f.value, f.limit_value
from fio_fault f
join fio_run r using (run_id)
where f.fault = 'missing_job' and r.is_counted
