-- Runs that are copies of another run of their round: the same bytes, or the same times of run_start and
-- run_stop, to the millisecond, in other bytes. The one that was loaded first is the original.
-- Result sets that several collections hold under one name are no copies of each other.
-- stored
-- run_id | - | run
-- original_id | - | run that it copies
-- method | - | bytes, or times
with counted as (
    select r.run_id, r.round, split_part(r.result_set, '@', 1) || '/' || coalesce(r.run_number, -1) as place,
        s.sha256, s.source_id, r.start_ms, r.stop_ms,
        r.kind = 'logged' and r.time_to_train_min is not null and r.start_ms > 1e9 as is_timed
    from run_result r
    join run using (run_id)
    join source s using (source_id)
    where r.is_counted
), found as (
    select c.run_id, o.run_id as original_id, 'bytes' as method, o.source_id
    from counted c
    join counted o on o.sha256 = c.sha256 and o.round is not distinct from c.round
        and o.source_id < c.source_id and o.place <> c.place
    union all
    select c.run_id, o.run_id, 'times', o.source_id
    from counted c
    join counted o on o.start_ms = c.start_ms and o.stop_ms = c.stop_ms and o.round is not distinct from c.round
        and o.source_id < c.source_id and o.place <> c.place and o.sha256 <> c.sha256
    where c.is_timed and o.is_timed
)
select run_id, original_id, method
from found
qualify row_number() over (partition by run_id order by method, source_id) = 1
