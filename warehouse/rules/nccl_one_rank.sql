-- title: A collective of one rank
-- severity: warning
-- applies to: nccl-tests runs
-- basis: self-check of nccl-tests outputs: the factor of one rank is 0, and its time is that of a copy or of nothing
-- why: Bus bandwidth is 0 and algorithm bandwidth may be any number; neither says anything about a link.
-- remedy: Start the test with all devices (-g, or mpirun).
-- false positives: None known.
select r.system || '/' || coalesce(r.collective, 'no collective') as subject,
    'one rank only: its ' || r.rows || ' rows are in no figure' as message, r.path, r.line, '1' as value, '2' as limit_value
from nccl_run r
where r.is_counted and r.rows > 0 and r.ranks = 1 and r.copies = 1
