-- title: The same log submitted twice
-- severity: error
-- basis: X1 of the cross-run rules: one run may be one result only (resubmission in a later round needs a notice)
-- why: A copied log counts one execution twice, or one system's result as another's.
-- remedy: Replace the copy by the log of its own run.
-- false positives: One submission published under several names.
select h.result_set as subject,
    'the same bytes as ' || first_value(s.path) over (partition by s.sha256 order by s.source_id) as message,
    s.path, 1 as line, left(s.sha256, 12) as value, null::varchar as limit_value
from source s
join run r using (source_id)
join run_header h using (run_id)
where s.sha256 in (select sha256 from source where format = 'mlperf_log' group by sha256 having count(*) > 1)
qualify row_number() over (partition by s.sha256 order by s.source_id) > 1
