-- title: Growth beyond linear
-- severity: info
-- applies to: fio runs
-- basis: I5 of the fio fair-run rules: bandwidth up to 1.05 times n times the first point; threshold fio_super_linear_factor
-- why: More than linear growth means a cache that fills, or a first point that was held back.
-- remedy: Run the first point again, longer and after the same preparation as the others.
-- false positives: Luck in a first point that was measured once.
select fio_subject(system, series, collection, path) as subject,
    'bandwidth (' || direction || ') at ' || try_cast(x as bigint) || ' ' || axis || ' is ' || fio_mbps(bandwidth_bps) || ', '
        || round(bandwidth_bps / ideal_bps, 2) || ' times the linear line of ' || fio_mbps(ideal_bps) as message,
    path, line, round(bandwidth_bps / ideal_bps, 2)::varchar as value, limit_said('fio_super_linear_factor') as limit_value
from fio_curve
where axis in ('jobs', 'clients') and bandwidth_bps / nullif(ideal_bps, 0) > limit_of('fio_super_linear_factor')
qualify row_number() over (partition by collection, system, series, direction order by bandwidth_bps / ideal_bps desc, axis, held) = 1
