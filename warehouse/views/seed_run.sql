-- The seeds that each run of a result set logs, and what the official seed check holds against it
-- (mlcommons/logging package_checker/seed_checker.py).
-- run_id | - | run; NULL: a result file without a record
-- result_set | - | result set it belongs to
-- run_number | - | n of result_n.txt
-- path | - | file
-- seeds | - | seed records in the file
-- kind | - | what is wrong: no seed, unreadable, same seed; NULL: nothing
-- fault | - | the same as the end of a sentence; NULL: nothing
-- line | - | line of the seed; NULL: there is none
-- value | - | the seed; NULL: there is none
with counted as (
    select run_id, result_set, run_number, path, run_id // 1000000000 as file from run_header where is_counted
), logged as (
    select c.run_id, c.result_set, c.run_number, e.line, e.value,
        json_extract_string(e.metadata, '$.file') || ':' || json_extract_string(e.metadata, '$.lineno') as place,
        case when regexp_matches(e.value, '^-?[0-9]+$') then e.value
            when regexp_matches(e.value, '^"\s*[+-]?[0-9]+\s*"$') then ltrim(trim(e.value, '" '), '+')
            when e.value in ('true', 'false') then if(e.value = 'true', '1', '0')
            when e.value[1] not in ('"', '[', '{') then trunc(e.number)::bigint::varchar end as seed
    from (select *, run_id // 1000000000 as file from event where key = 'seed') e
    join counted c using (file)
), ordered as (
    select *, row_number() over same as nth, first_value(run_number) over same as first_run
    from logged
    where seed is not null and place is not null
    window same as (partition by result_set, seed, place order by run_number, run_id, line)
), seeds as (
    select run_id, count(*) as seeds, min(line) as line, arg_min(value, line) as value,
        min(line) filter (seed is null or place is null) as unreadable_line,
        arg_min(value, line) filter (seed is null or place is null) as unreadable_value
    from logged
    group by run_id
), repeats as (
    select run_id, min(line) as line, arg_min(seed, line) as seed, arg_min(place, line) as place,
        arg_min(first_run, line) as first_run
    from ordered
    where nth > 1
    group by run_id
), lost as (
    select source_id as file, min(line) as line
    from problem
    where severity = 'warning' and contains(excerpt, ':::MLLOG')
    group by source_id
)
select c.run_id, c.result_set, c.run_number, c.path, coalesce(s.seeds, 0) as seeds,
    case when l.line is not null or s.unreadable_line is not null then 'unreadable'
        when s.seeds is null then 'no seed' when r.line is not null then 'same seed' end as kind,
    case when l.line is not null then 'has a damaged record'
        when s.unreadable_line is not null then 'logs a seed that is no whole number with file and line'
        when s.seeds is null then 'logs no seed'
        when r.line is not null then 'logs seed ' || r.seed || ' of ' || r.place || ' as run '
            || coalesce(r.first_run::varchar, '?') || ' does' end as fault,
    coalesce(l.line, s.unreadable_line, r.line, s.line) as line,
    coalesce(s.unreadable_value, r.seed, s.value) as value
from counted c
left join seeds s using (run_id)
left join repeats r using (run_id)
left join lost l using (file)
union all
select null, result_set, run_number, path, 0, 'no seed', 'logs no seed', null, null
from official_compliance
where run_id is null
