-- title: Jobs that ended with an error
-- severity: error
-- applies to: fio runs
-- basis: E1 of the fio fair-run rules: every entry has error 0, total_err and first_error too; that of "All clients" is always 0 and says nothing
-- why: A job that stopped early moved less than was asked for, and what it moved is no result.
-- remedy: Look up the error number (28 is a full file system, 20 and 2 a wrong path, 84 a failed verification), mend it and run again.
-- false positives: A job with continue_on_error whose errors were meant.
select f.path as subject, f.message, f.path, f.line, f.value, f.limit_value
from fio_fault f
join fio_run r using (run_id)
where f.fault = 'error' and r.is_counted
