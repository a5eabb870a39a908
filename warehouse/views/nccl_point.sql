-- Every measurement of nccl-tests: one size in one placement.
-- stored
-- run_id | - | run
-- path | - | file
-- line | - | line
-- run | - | number of the run in the file
-- collection | - | source.toml that governs the file
-- system | - | system under test
-- collective | - | test
-- ranks | ranks | of the run
-- nodes | nodes | of the run
-- ordinal | - | row of the table
-- cycle | - | repeat of the whole table (-N)
-- size_bytes | B | as printed; 0 where the request was too small for the ranks
-- placement | - | out_of_place or in_place
-- type | - | element type
-- redop | - | reduction
-- root | - | root rank; NULL: none
-- time_us | us | time of one operation; CPU time with -C
-- algbw_gbps | GB/s | algorithm bandwidth as printed
-- busbw_gbps | GB/s | bus bandwidth as printed
-- wrong | - | wrong elements; NULL: not checked, or a version that prints a difference
-- delta | - | largest difference (before nccl-tests 2.13)
-- is_unchecked | - | N/A is printed
-- expected_algbw_low_gbps | GB/s | least that size over time allows, with the rounding of the time
-- expected_algbw_high_gbps | GB/s | most that it allows
-- is_algbw_judged | - | the algorithm bandwidth of this test is size over time
-- is_meaningful | - | more than one rank and a size over 0
-- iter_p99_us | us | with -I
-- iter_cv_pct | % | with -I
-- is_counted | - | the run was not loaded again later
-- kind | - | logged or reconstructed
-- verification | - | official or unverified
select w.run_id, r.path, w.line, try_cast((w.run_id % 1000000000) as integer) as run, r.collection, r.system, r.collective, r.ranks, r.nodes,
    w.ordinal, w.cycle, w.size_bytes, w.placement, w.type, w.redop, nullif(w.root, -1) as root, w.time_us, w.algbw_gbps, w.busbw_gbps,
    w.wrong, w.delta, w.is_unchecked,
    w.size_bytes / 1000 / (w.time_us + printed_half(w.time_digits, w.time_us)) - printed_half(w.algbw_digits, w.algbw_gbps)
        as expected_algbw_low_gbps,
    w.size_bytes / 1000 / nullif(greatest(w.time_us - printed_half(w.time_digits, w.time_us), 0), 0)
        + printed_half(w.algbw_digits, w.algbw_gbps) as expected_algbw_high_gbps,
    not r.is_cpu_time and r.collective not in ('hypercube', 'alltoallv')
        and not (r.collective in ('all_gather', 'reduce_scatter') and r.era in ('A', 'B')) as is_algbw_judged,
    coalesce(r.ranks, 2) > 1 and w.size_bytes > 0 as is_meaningful,
    w.iter_p99_us, w.iter_cv_pct, r.is_counted, r.kind, r.verification
from nccl_row w
join nccl_run r using (run_id)
