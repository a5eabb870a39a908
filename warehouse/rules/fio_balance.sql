-- title: Clients that get unlike shares
-- severity: warning
-- applies to: fio runs
-- basis: W11 of the fio fair-run rules: largest less smallest client bandwidth under 10 % of the mean; threshold fio_balance_pct
-- why: One slow client holds back a training job on all of them, and the sum hides it.
-- remedy: Look at the link, the mount options and the path of the slowest client; run again without it.
-- false positives: Clients that were given different loads on purpose.
select path as subject,
    'client ' || client || ' got the least (' || direction || '): ' || fio_mbps(bandwidth_bps) || ', ' || round(-deviation_pct, 1)
        || ' % under the median of ' || clients || ' clients; spread ' || round(spread_pct, 1) || ' % of the mean, variation '
        || round(variation_pct, 1) || ' %, Jain index ' || round(jain_index, 3) as message,
    path, line, round(spread_pct, 1)::varchar || ' %' as value, limit_said('fio_balance_pct') as limit_value
from fio_client
where is_slowest and status = 'complete'
