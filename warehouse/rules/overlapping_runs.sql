-- title: Runs at the same time on one system
-- severity: info
-- applies to: result sets
-- basis: X11 of the cross-run rules; allowed: runs may go in parallel on several identical systems
-- why: Two runs at once on one system would slow each other, or one of them ran elsewhere.
-- remedy: Say on which hosts the runs were made.
-- false positives: Several identical systems, which is the usual case. Copied runs are reported as such.
with timed as (
    select *, concat_ws('/', collection, round, organization, system) as place
    from run_result
    where is_counted and kind = 'logged' and started_at is not null and time_to_train_min is not null
        and organization is not null and run_id not in (select run_id from copied_run)
), pairs as (
    select a.result_set, a.run_id, a.system, a.path, a.start_line, b.result_set as other_set, b.path as other_path,
        b.start_ms as other_ms
    from timed a
    join timed b on a.place = b.place and a.run_id <> b.run_id
        and a.start_ms < b.stop_ms and b.start_ms < a.stop_ms
)
select result_set as subject,
    count(distinct run_id) || ' run(s) overlap in time with other runs on ' || any_value(system) || ', the first with '
        || arg_min(other_path, (path, other_ms)) as message,
    min(path) as path, arg_min(start_line, path) as line, count(distinct run_id)::varchar as value, '0' as limit_value
from pairs
group by result_set
