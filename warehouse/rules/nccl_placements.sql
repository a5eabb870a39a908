-- title: In place against out of place
-- severity: warning
-- applies to: nccl-tests runs
-- basis: the rule of this project: from 64 MiB on both placements move the same bytes; they differ by more than nccl_placement_pct
-- why: A large difference is a disturbance during one of them, or memory that is placed badly.
-- remedy: Run the test again with more iterations.
-- false positives: Collectives whose in-place form does less work.
select c.system || '/' || coalesce(c.collective, 'no collective') as subject,
    count(*) || ' sizes differ by more than ' || limit_said('nccl_placement_pct') || ', most at ' || arg_max(c.size_bytes, d.share) || ' B: '
        || printf('%.2f', arg_max(c.busbw_gbps, d.share)) || ' GB/s out of place, ' || printf('%.2f', arg_max(c.other_busbw_gbps, d.share)) || ' in place' as message,
    c.path, arg_max(c.line, d.share) as line, printf('%.1f %%', max(d.share)) as value, limit_said('nccl_placement_pct') as limit_value
from nccl_curve c
cross join lateral (select abs(c.busbw_gbps - c.other_busbw_gbps) / greatest(c.busbw_gbps, c.other_busbw_gbps) * 100 as share) d
where c.placement = 'out_of_place' and c.size_bytes >= 67108864 and c.other_busbw_gbps > 0
    and c.collective in ('all_reduce', 'all_gather', 'reduce_scatter', 'broadcast', 'reduce')
    and d.share > limit_of('nccl_placement_pct')
group by c.run_id, c.type, c.redop, c.root, c.system, c.collective, c.path
