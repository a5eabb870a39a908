-- Official seed check of each result set: every run logs a seed, and no two runs log the same one from the
-- same place of the program (mlcommons/logging package_checker/seed_checker.py; closed division).
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
    select s.*, r.* exclude (result_set, path), r.evidence_path,
        coalesce(s.not_judged,
            case when s.version < 1 then 'seeds are checked from rule set 1.0.0 on'
                when not s.is_closed then 'only the closed division has its seeds checked' end) as why_not
    from official_set s
    join (
        select result_set, count(*) as runs, count(*) filter (kind is not null) as faults, any_value(path) as path,
            count(*) filter (kind = 'no seed') as without, count(*) filter (kind = 'same seed') as repeats,
            coalesce(arg_min(run_number, rank) filter (kind is not null), -1) as run,
            arg_min_null(fault, rank) as fault, arg_min_null(kind, rank) as kind, arg_min(path, rank) as evidence_path,
            arg_min_null(line, rank) as line, arg_min_null(value, rank) as value
        from (
            select *, row_number() over (partition by result_set order by coalesce(list_position(
                ['same seed', 'unreadable', 'no seed'], kind), 4), run_number, run_id) as rank
            from seed_run
        )
        group by result_set
    ) r using (result_set)
)
select result_set,
    case when why_not is not null then 'not judged' when faults = 0 or has_seed_bypass then 'pass' else 'fail' end as verdict,
    case when why_not is not null then why_not
        when faults > 0 then case when kind = 'no seed' then without || ' of ' || runs || ' runs log no seed'
                else 'run ' || run || ' ' || fault
                    || case when faults > 1 then ' (' || faults || ' runs have a fault)' else '' end end
            || if(has_seed_bypass, '; passed using the bypass file ' || bypass_path, '') end as reason,
    evidence_path as path, line,
    case when faults > 0 then if(kind = 'no seed', 'no seed', value) end as value,
    case when faults > 0 then 'a seed of its own in each run' end as limit_value,
    rule_set, rule_set_version, 'bypass: ' || if(has_seed_bypass, bypass_path, 'none') as options
from judged
