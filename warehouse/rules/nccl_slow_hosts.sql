-- title: A set of hosts that is slower than the others
-- severity: warning
-- applies to: nccl-tests runs
-- basis: the rule of this project: runs of one system, collective and number of ranks on other hosts; peak under the share nccl_host_pct of their median
-- why: One bad node or cable slows down every job that gets it.
-- remedy: Test the hosts in pairs until the slow one is found.
-- false positives: Runs with other options.
with peaks as (
    select *, median(peak_busbw_gbps) over same as median_gbps, count(*) over same as runs,
        (select count(distinct h.hosts) from nccl_run h where h.collection = nccl_run.collection and h.system = nccl_run.system
            and h.collective = nccl_run.collective and h.ranks = nccl_run.ranks) as host_sets
    from nccl_run
    where is_counted and ranks > 1 and peak_busbw_gbps is not null and hosts is not null and system <> 'unassigned'
    window same as (partition by collection, system, collective, ranks)
)
select system || '/' || coalesce(collective, 'no collective') as subject,
    'hosts ' || hosts || ': ' || printf('%.2f', peak_busbw_gbps) || ' GB/s, the median of ' || runs || ' runs is ' || printf('%.2f', median_gbps) as message,
    path, peak_line as line, printf('%.2f', peak_busbw_gbps) as value, printf('%.2f', median_gbps * limit_of('nccl_host_pct') / 100) as limit_value
from peaks
where runs >= 3 and host_sets > 1 and peak_busbw_gbps < median_gbps * limit_of('nccl_host_pct') / 100
