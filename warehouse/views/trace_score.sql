-- From a score to its runs, and the lines that begin and end each. Relations called trace_* are what the
-- command `trace` reads.
-- subject | - | result set
-- place | - | order within the subject
-- detail | - | what the run gave and whether it counts, in words
-- path | - | file
-- lines | - | lines of run_start and run_stop
-- run_id | - | run
select s.result_set as subject, s.place,
    coalesce(printf('%.3f min', r.time_to_train_min), 'no time') || '  '
        || case when s.is_kept then 'counts' else coalesce(s.drop_reason, 'does not count') end as detail,
    r.path, list_filter([r.start_line, r.stop_line], lambda line: line is not null) as lines, s.run_id
from scored_run s
join run_result r using (run_id)
