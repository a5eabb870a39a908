-- title: Bus bandwidth under what is published
-- severity: warning
-- applies to: nccl-tests runs
-- basis: data/platforms.toml: published bus bandwidths of the same collective, device, ranks and nodes; held against the lowest of them
-- why: A system that stays far under others of its kind has a wrong plugin, a slow link or a bad topology.
-- remedy: Look at `Using network`, the NCCL version and each node's links; compare single nodes.
-- false positives: Another size, network or device variant than the published one.
select r.system || '/' || coalesce(r.collective, 'no collective') as subject,
    'peak ' || printf('%.2f', any_value(r.peak_busbw_gbps)) || ' GB/s is ' || printf('%.0f', max(r.share_pct)) || ' % of the lowest published figure, '
        || printf('%.2f', min(r.reference_busbw_gbps)) || ' GB/s of ' || arg_min(r.reference_system, r.reference_busbw_gbps) as message,
    r.path, any_value(r.line) as line, printf('%.2f', any_value(r.peak_busbw_gbps)) as value, printf('%.2f', min(r.reference_busbw_gbps)) as limit_value
from nccl_reference r
group by r.run_id, r.system, r.collective, r.path
having max(r.share_pct) < limit_of('nccl_reference_pct')
