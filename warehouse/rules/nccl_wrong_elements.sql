-- title: Wrong results of a collective
-- severity: error
-- applies to: nccl-tests runs
-- basis: self-check of nccl-tests outputs: #wrong counts elements that differ from the right result
-- why: Bandwidth of wrong data is no bandwidth; memory, a link or the library is at fault.
-- remedy: Find the faulty device or link, and run the test again; do not publish the number.
-- false positives: None for #wrong; the `error` column before nccl-tests 2.13 is a difference and is not judged.
select p.system || '/' || coalesce(p.collective, 'no collective') as subject,
    count(*) || ' of ' || any_value(t.n) || ' measurements have wrong elements, first ' || try_cast(arg_min(p.wrong, p.line) as bigint) || ' at '
        || arg_min(p.size_bytes, p.line) || ' B ' || replace(arg_min(p.placement, p.line), '_', ' ') as message,
    p.path, min(p.line) as line, try_cast(max(p.wrong) as bigint)::varchar as value, '0' as limit_value
from nccl_point p
join (select run_id, count(*) as n from nccl_point group by run_id) t using (run_id)
where p.is_counted and p.wrong > 0
group by p.run_id, p.system, p.collective, p.path
