-- title: A size that falls out of its curve
-- severity: warning
-- applies to: nccl-tests runs
-- basis: the rule of this project: at 1 MiB and more a bus bandwidth under the share nccl_outlier_pct of the smaller of its two neighbours
-- why: One slow size is a disturbance, a first iteration without warm-up, or a change of algorithm; an average hides it.
-- remedy: Run the size again with more iterations; look for other load.
-- false positives: A real change of algorithm between two sizes.
select c.system || '/' || coalesce(c.collective, 'no collective') as subject,
    c.size_bytes || ' B ' || replace(c.placement, '_', ' ') || ': ' || printf('%.2f', c.busbw_gbps) || ' GB/s between '
        || printf('%.2f', c.last_busbw_gbps) || ' and ' || printf('%.2f', c.next_busbw_gbps) as message,
    c.path, c.line, printf('%.2f', c.busbw_gbps) as value,
    printf('%.2f', least(c.last_busbw_gbps, c.next_busbw_gbps) * limit_of('nccl_outlier_pct') / 100) as limit_value
from nccl_curve c
where c.size_bytes >= 1048576
    and c.last_busbw_gbps is not null and c.next_busbw_gbps is not null
    and c.busbw_gbps < least(c.last_busbw_gbps, c.next_busbw_gbps) * limit_of('nccl_outlier_pct') / 100
