-- title: Processes that did not know of each other
-- severity: error
-- applies to: nccl-tests runs
-- basis: self-check of nccl-tests outputs: several banners of one test side by side are a build without MPI=1
-- why: Each process then measures its own node or device alone, and its bandwidth is shown as that of all.
-- remedy: Build nccl-tests with MPI=1 and run it again.
-- false positives: Outputs of separate runs that were written into one file at the same time.
select r.system || '/' || coalesce(r.collective, 'no collective') as subject,
    r.copies || ' processes ran the test side by side' as message, r.path, r.line, r.copies::varchar as value, '1' as limit_value
from nccl_run r
where r.is_counted and r.copies > 1
