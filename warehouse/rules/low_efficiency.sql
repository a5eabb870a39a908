-- title: Suspiciously low scaling efficiency
-- severity: warning
-- applies to: result sets
-- basis: X19 of the cross-run rules: efficiency under 50 % against the smallest scale of the family, where others do better or the growth is small
-- why: Where others scale better, a slow network, other software or other settings are at work, not the size.
-- remedy: See which of the three factors is low; compare software, settings and network of both ends.
-- false positives: Under 50 % is normal at hundreds of nodes: one finding only where another submitter's family grows as much, or up to twice as much, in the same benchmark and is 1.25 times as efficient, or where nobody is to be compared with and the growth is at most eightfold.
with measured as (
    select s.*, f.family_key
    from scaling s
    join family_member f using (result_set)
    where growth > 1 and efficiency_pct is not null
), low as (
    select l.*, max(o.efficiency_pct) as best_pct, arg_max(o.system, o.efficiency_pct) as best_system
    from measured l
    left join measured o on o.collection = l.collection and o.round is not distinct from l.round
        and o.division is not distinct from l.division and o.benchmark = l.benchmark
        and o.organization is distinct from l.organization and o.growth between 0.95 * l.growth and 2 * l.growth
    where l.efficiency_pct < 50
    group by all
)
select l.result_set as subject,
    'scaling efficiency ' || round(efficiency_pct, 1) || ' % from ' || base_system || ' to ' || system
        || case when throughput_efficiency_pct is not null then ': throughput '
            || round(throughput_efficiency_pct, 1) || ' %, convergence '
            || round(convergence_efficiency_pct, 1) || ' %, overhead '
            || round(overhead_efficiency_pct, 1) || ' %' else '' end
        || coalesce('; ' || best_system || ' has ' || round(best_pct, 1) || ' %', '')
        || case when note is not null then '; ' || note else '' end as message,
    e.path, e.line, round(efficiency_pct, 1)::varchar as value,
    case when best_pct is null then '50.0' else round(best_pct, 1)::varchar end as limit_value
from low l
join (
    select result_set, min(path) as path, arg_min(stop_line, path) as line
    from run_result where is_counted group by result_set
) e on e.result_set = l.result_set
where best_pct >= 1.25 * efficiency_pct or (best_pct is null and growth <= 8)
