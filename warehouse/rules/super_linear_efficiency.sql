-- title: Super-linear scaling efficiency
-- severity: warning
-- applies to: result sets
-- basis: X19 of the cross-run rules: efficiency over 102 % against the smallest scale of the family
-- why: More than linear speed-up nearly always means that the two ends are not the same experiment.
-- remedy: Compare the hyperparameters and the per-accelerator throughput of both ends; look for a handicapped base.
-- false positives: Luck in the number of epochs to converge at small run counts; see the convergence factor.
select s.result_set as subject,
    'scaling efficiency ' || round(efficiency_pct, 1) || ' % from ' || base_system || ' to ' || s.system
        || case when throughput_efficiency_pct is not null then ': throughput '
            || round(throughput_efficiency_pct, 1) || ' %, convergence '
            || round(convergence_efficiency_pct, 1) || ' %, overhead '
            || round(overhead_efficiency_pct, 1) || ' %' else '' end
        || case when note is not null then '; ' || note else '' end as message,
    e.path, e.line, round(efficiency_pct, 1)::varchar as value, '102.0' as limit_value
from scaling s
join (
    select result_set, min(path) as path, arg_min(stop_line, path) as line
    from run_result where is_counted group by result_set
) e using (result_set)
where efficiency_pct > 102
