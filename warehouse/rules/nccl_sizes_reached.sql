-- title: Sizes that were asked for and not reached
-- severity: warning
-- applies to: nccl-tests runs
-- basis: self-check of nccl-tests outputs: the largest row against maxBytes of the banner
-- why: The largest sizes show the bandwidth of the links; without them the peak is too low.
-- remedy: Run the test with enough memory, or up to the size that is shown.
-- false positives: A size that is rounded down to a multiple of ranks and type.
select r.system || '/' || coalesce(r.collective, 'no collective') as subject,
    'the largest size is ' || m.size_bytes || ' B, asked for was ' || r.max_bytes || ' B' as message, r.path, m.line,
    m.size_bytes::varchar as value, r.max_bytes::varchar as limit_value
from nccl_run r
join (select run_id, max(size_bytes) as size_bytes, arg_max(line, size_bytes) as line from nccl_point group by run_id) m using (run_id)
where r.is_counted and m.size_bytes > 0 and case when r.step between 2 and 1024 then m.size_bytes * r.step <= r.max_bytes else m.size_bytes < r.max_bytes / 2 end
    and r.copies = 1
