-- title: The same log submitted twice
-- severity: error
-- applies to: result sets
-- basis: X1 of the cross-run rules: one run may be one result of a round only (later rounds may take it again, with a notice)
-- why: A copied log counts one execution twice, or one system's result as another's.
-- remedy: Replace the copy by the log of its own run.
-- false positives: One submission published under several names.
with submitted as (
    select h.result_set, h.round, s.path, s.sha256, s.source_id
    from source s
    join run r on r.source_id = s.source_id and r.is_last_attempt
    join run_header h using (run_id)
)
select result_set as subject,
    'the same bytes as ' || first_value(path) over same_bytes as message,
    path, 1 as line, left(sha256, 12) as value, null::varchar as limit_value
from submitted
window same_bytes as (partition by sha256, round order by source_id)
qualify row_number() over same_bytes > 1
