-- title: Ranks that the bandwidths imply
-- severity: error
-- applies to: nccl-tests runs
-- basis: self-check of nccl-tests outputs: busbw / algbw is 2(n-1)/n for all_reduce and (n-1)/n for all_gather, reduce_scatter, alltoall, gather and scatter (doc/PERFORMANCE.md)
-- why: The ratio gives the true number of ranks away: another one in the label, or an impossible ratio, means that the table is not of the run it is shown for.
-- remedy: Load the output of the run itself; with NCCL_TESTS_SPLIT the group's size counts.
-- false positives: A device list that was shortened by hand; all_gather and reduce_scatter before June 2020 are not judged.
select r.system || '/' || coalesce(r.collective, 'no collective') as subject,
    case when f.ratio < f.expected * 0.9 then 'bus over algorithm bandwidth is ' || printf('%.3f', f.ratio) || ', '
            || r.ranks_listed || ' ranks give ' || printf('%.3f', f.expected)
        else 'the bandwidths imply ' || r.ranks_implied || ' ranks, ' || r.ranks_listed || ' are listed' end as message,
    r.path, r.peak_line as line, r.ranks_implied::varchar as value, r.ranks_listed::varchar as limit_value
from nccl_run r
cross join lateral (
    select busbw_factor(r.collective, r.ranks_listed) as expected,
        (select p.busbw_gbps / p.algbw_gbps from nccl_point p where p.run_id = r.run_id and p.line = r.peak_line
            and p.algbw_gbps > 0 order by p.placement desc limit 1) as ratio
) f
where r.is_counted and r.ranks_implied_low is not null and r.copies = 1
    and not (r.collective in ('all_gather', 'reduce_scatter') and r.era in ('A', 'B'))
    and (r.ranks_listed < r.ranks_implied_low * 0.98 or r.ranks_listed > coalesce(r.ranks_implied_high, 1e12) * 1.02)
    and not exists (select 1 from nccl_device d where d.run_id = r.run_id and d."group" > 0)
union all
select r.system || '/' || coalesce(r.collective, 'no collective'),
    'the bandwidths imply ' || r.ranks_implied || ' ranks, the file is called one of ' || r.ranks_claimed,
    r.path, r.peak_line, r.ranks_implied::varchar, r.ranks_claimed::varchar
from nccl_run r
where r.is_counted and r.ranks_listed is null and r.copies = 1 and r.ranks_implied_low is not null
    and not (r.collective in ('all_gather', 'reduce_scatter') and r.era in ('A', 'B'))
    and (r.ranks_claimed < r.ranks_implied_low * 0.98 or r.ranks_claimed > coalesce(r.ranks_implied_high, 1e12) * 1.02)
