-- title: Results that were not checked
-- severity: info
-- applies to: nccl-tests runs
-- basis: self-check of nccl-tests outputs: N/A in place of the number of wrong elements (-c 0)
-- why: A bandwidth whose data nobody looked at may be of wrong data.
-- remedy: Run the test once with -c 1.
-- false positives: In place of alltoall and sendrecv is never checked and is not counted here.
select p.system || '/' || coalesce(p.collective, 'no collective') as subject,
    'none of the ' || count(*) || ' measurements was checked' as message, p.path, min(p.line) as line, 'N/A' as value, null::varchar as limit_value
from nccl_point p
where p.is_counted
group by p.run_id, p.system, p.collective, p.path
having bool_and(p.is_unchecked)
