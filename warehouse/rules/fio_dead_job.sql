-- title: Jobs that did no I/O
-- severity: error
-- applies to: fio runs
-- basis: E3 of the fio fair-run rules: an entry moves data in each direction that its pattern asks for
-- why: A worker that was killed, or never began, is printed with error 0 and nothing but zeros: the sum of the jobs is then too small.
-- remedy: Read the text before the numbers and the log of the system (out of memory, signals), and run again.
-- false positives: A job that had nothing to do, such as one on an empty file, or a run that ended before its first write.
select f.path as subject, f.message, f.path, f.line, f.value, f.limit_value
from fio_fault f
join fio_run r using (run_id)
where f.fault = 'dead_job' and r.is_counted
