-- title: Failing tests against the rows
-- severity: error
-- applies to: nccl-tests runs
-- basis: self-check of nccl-tests outputs: `Out of bounds values` counts the tests (size and placement) that failed
-- why: Both say the same thing; where they differ, rows are missing or were changed by hand.
-- remedy: Compare the rows with the original output.
-- false positives: Wrong rows that only another process printed.
select r.system || '/' || coalesce(r.collective, 'no collective') as subject,
    'the end says ' || r.out_of_bounds || ' failing tests, the rows have ' || count(p.wrong) filter (p.wrong > 0) as message,
    r.path, r.line, count(p.wrong) filter (p.wrong > 0)::varchar as value, r.out_of_bounds::varchar as limit_value
from nccl_run r
join nccl_point p using (run_id)
where r.is_counted and r.rows_lost = 0 and r.copies = 1 and r.era in ('C', 'D') and r.form = 'text'
    and not exists (select 1 from nccl_note n where n.run_id = r.run_id and n.kind = 'elided')
group by r.run_id, r.system, r.collective, r.path, r.line, r.out_of_bounds
having r.out_of_bounds <> count(p.wrong) filter (p.wrong > 0) and count(p.wrong) > 0
