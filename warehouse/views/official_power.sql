-- Official check of power files of each result set: a folder for every run, nodes and switches numbered from 0,
-- as many in every run (mlcommons/logging package_checker/power_checker.py).
-- result_set | - | result set
-- verdict | - | pass, fail, invalid input (the official tool crashes on it) or not judged
-- reason | - | why, in one sentence
-- path | - | file of the evidence
-- line | - | its line; NULL: the file as a whole
-- value | - | what was found
-- limit_value | - | what it was held against
-- rule_set | - | official rule set that it was judged by
-- rule_set_version | - | package of the rules and its version
-- options | - | what else the verdict depends on
with judged as (
    select result_set, count(*) as runs, count(*) filter (fault is not null) as faults, bool_or(is_crash) as is_crash,
        coalesce(arg_min(run_number, row) filter (fault is not null)::varchar, '?') as run,
        arg_min(fault, row) filter (fault is not null) as fault,
        coalesce(arg_min(folder, row) filter (fault is not null), min(folder)) as path
    from (select *, row_number() over (partition by result_set order by is_crash desc, run_number, run_id) as row from power_run)
    group by result_set
)
select s.result_set,
    case when s.not_judged is not null or p.runs is null then 'not judged' when p.is_crash then 'invalid input'
        when p.faults > 0 then 'fail' else 'pass' end as verdict,
    case when s.not_judged is not null then s.not_judged when p.runs is null then 'there are no power files'
        when p.faults > 0 then 'run ' || p.run || ' ' || p.fault
            || case when p.faults > 1 then ' (' || p.faults || ' runs have a fault)' else '' end end as reason,
    coalesce(p.path, s.path) as path, null::bigint as line,
    case when p.faults > 0 then p.faults::varchar end as value, case when p.faults > 0 then '0' end as limit_value,
    s.rule_set, s.rule_set_version, null::varchar as options
from official_set s
left join judged p using (result_set)
