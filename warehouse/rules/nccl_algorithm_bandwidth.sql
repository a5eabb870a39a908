-- title: Algorithm bandwidth is size over time
-- severity: error
-- applies to: nccl-tests runs
-- basis: self-check of nccl-tests outputs: algbw = size / time (doc/PERFORMANCE.md), within the printed digits; not for -C, hypercube, alltoallv, and all_gather and reduce_scatter before June 2020
-- why: A row that contradicts itself was mistyped, mixed from two outputs, or changed.
-- remedy: Load the original output.
-- false positives: None known within the printed digits.
select p.system || '/' || coalesce(p.collective, 'no collective') as subject,
    count(*) || ' rows contradict themselves, first ' || arg_min(p.size_bytes, p.line) || ' B in '
        || arg_min(p.time_us, p.line) || ' us is not ' || arg_min(p.algbw_gbps, p.line) || ' GB/s' as message,
    p.path, min(p.line) as line, arg_min(p.algbw_gbps, p.line)::varchar as value,
    printf('%.2f', arg_min(p.size_bytes / 1000 / p.time_us, p.line)) as limit_value
from nccl_point p
where p.is_counted and p.is_algbw_judged and p.size_bytes > 0 and p.time_us > 0
    and p.algbw_gbps not between p.expected_algbw_low_gbps * 0.999 and p.expected_algbw_high_gbps * 1.001
group by p.run_id, p.system, p.collective, p.path
