-- title: Numbers of the runs and other files beside them
-- severity: info
-- applies to: result sets
-- basis: X22 of the cross-run rules; mlcommons/policies submission_rules: result_0.txt to result_<n-1>.txt, nothing else in the folder
-- why: A gap or another order of time may mean that runs were picked out of more; other files may be runs that do not count.
-- remedy: Number the runs from 0 in the order in which they were made; take other files out of the folder.
-- false positives: Harmless nearly always: runs in parallel, runs sorted by time to train, logs of the official tools.
with numbered as (
    select result_set, run_number, path, start_line, started_at, regexp_replace(path, '[^/!]*$', '') as folder,
        lag(started_at) over (partition by result_set order by run_number) > started_at as is_earlier
    from run_result
    where is_counted and run_number is not null and kind = 'logged'
), folders as (
    select distinct result_set, folder from numbered
), beside as (
    select f.result_set, count(*) as files, min(s.path) as path,
        string_agg(regexp_extract(s.path, '[^/!]*$'), ', ' order by s.path) as names
    from folders f
    join source s on regexp_replace(s.path, '[^/!]*$', '') = f.folder
    where s.source_id not in (select source_id from run join run_result using (run_id) where is_counted)
        and s.source_id not in (select source_id from scaling_factor)
    group by f.result_set
), counted as (
    select result_set, min(path) as path, count(*) as runs, min(run_number) as first, max(run_number) as last,
        count(*) filter (is_earlier) as earlier, min(path) filter (is_earlier) as earlier_path,
        arg_min(start_line, path) filter (is_earlier) as line
    from numbered
    group by result_set
)
select c.result_set as subject,
    concat_ws('; ', case when last - first + 1 <> runs or first > 1
            then runs || ' runs are numbered from ' || first || ' to ' || last end,
        case when earlier > 0 then earlier || ' run(s) began before the run of the number before' end,
        case when b.files > 0 then 'beside the runs: ' || left(b.names, 100) end) as message,
    coalesce(earlier_path, b.path, c.path) as path, c.line,
    coalesce(earlier, 0)::varchar as value, null::varchar as limit_value
from counted c
left join beside b using (result_set)
where last - first + 1 <> runs or first > 1 or earlier > 0 or b.files > 0
