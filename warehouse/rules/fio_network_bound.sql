-- title: Clients whose link is the limit
-- severity: warning
-- applies to: fio runs
-- basis: W16 of the fio fair-run rules: a client moves less than 90 % of its link; threshold fio_link_pct, link from link_gbit_s of source.toml
-- why: A client that fills its link measures the network, not the storage.
-- remedy: Use more clients, or clients with faster links.
-- false positives: Bandwidth that did not pass over the link, such as reads from the page cache.
select k.path as subject,
    'client ' || arg_max(k.client, k.bandwidth_bps) || ' (' || k.direction || ') moved ' || fio_mbps(max(k.bandwidth_bps)) || ', '
        || round(max(k.bandwidth_bps) * 8 / 1e7 / any_value(c.link_gbit_s), 1) || ' % of its link of ' || any_value(c.link_gbit_s) || ' Gbit/s' as message,
    k.path, arg_max(k.line, k.bandwidth_bps) as line, round(max(k.bandwidth_bps) * 8 / 1e7 / any_value(c.link_gbit_s), 1)::varchar || ' %' as value,
    limit_said('fio_link_pct') as limit_value
from fio_client k
join collection c on c.collection = k.collection
where k.status = 'complete' and k.bandwidth_bps * 8 / 1e7 / c.link_gbit_s > limit_of('fio_link_pct')
group by k.run_id, k.path, k.direction
