-- Official package check of each result set: number of files, compliance of the runs, power, seeds, convergence
-- and system description together (mlcommons/logging package_checker). At most one run (unet3d: four) may fail.
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
with allowed as (
    select s.*, b.benchmark is not null as is_allowed, o.runs_required, if(s.benchmark_folder = 'unet3d', 4, 1) as drops,
        s.usage = 'hpc' and regexp_matches(s.path, '/weak/') as is_weak
    from official_set s
    left join rule_set_benchmark b on b.rule_set = s.rule_set and b.benchmark = s.benchmark_folder
    left join official_benchmark o on o.usage = s.usage and o.benchmark = s.benchmark_folder
), runs as (
    select c.result_set, count(*) as runs,
        count(*) filter (c.verdict in ('fail', 'invalid input') or p.fault is not null) as runs_failed,
        arg_min(c.path, c.run_number) filter (c.verdict in ('fail', 'invalid input') or p.fault is not null) as path,
        arg_min_null(c.line, c.run_number) filter (c.verdict in ('fail', 'invalid input') or p.fault is not null) as line
    from official_compliance c
    left join power_run p using (run_id)
    group by c.result_set
), others as (
    select a.result_set, count(*) as files
    from (
        select distinct path, regexp_extract(path, '^(.*)[/!][^/!]+$', 1) as folder from source
        where not regexp_matches(path, '(^|[/!])(result_[^/]*\.txt|package_checker_params|scaling\.json)$')
    ) f
    join allowed a using (folder)
    where a.home is not null
    group by a.result_set
), parts as (
    select a.*, r.runs, r.runs_failed, r.path as run_path, r.line as run_line, coalesce(f.files, 0) as others,
        d.verdict as described, q.verdict as seeds, c.verdict as rcp, w.verdict as power,
        [case when d.verdict in ('fail', 'invalid input') then d.reason end,
            case when if(is_weak, r.runs < a.runs_required, r.runs <> a.runs_required)
                then r.runs || ' result files instead of ' || a.runs_required end,
            case when r.runs_failed > a.drops then r.runs_failed || ' of ' || r.runs || ' runs do not comply' end,
            case when w.verdict = 'invalid input' then w.reason end,
            case when q.verdict = 'fail' then 'seeds: ' || q.reason end,
            case when c.verdict in ('fail', 'invalid input') then 'convergence: ' || c.reason end] as faults,
        case when d.verdict in ('fail', 'invalid input') then {'path': d.path, 'line': d.line}
            when r.runs_failed > a.drops then {'path': r.path, 'line': r.line}
            when q.verdict = 'fail' then {'path': q.path, 'line': q.line}
            when c.verdict in ('fail', 'invalid input') then {'path': c.path, 'line': c.line}
            else {'path': a.path, 'line': null::bigint} end as evidence
    from allowed a
    join runs r using (result_set)
    left join others f using (result_set)
    join official_system_description d using (result_set)
    join official_seeds q using (result_set)
    join official_rcp c using (result_set)
    join official_power w using (result_set)
), said as (
    select *, list_filter(faults, x -> x is not null) as found,
        coalesce(not_judged, case when not is_allowed then benchmark_folder || ' is no benchmark of ' || rule_set
            || ': the official checker skips the folder' end) as why_not
    from parts
)
select result_set,
    case when why_not is not null then 'not judged'
        when 'invalid input' in (described, rcp, power) then 'invalid input'
        when len(found) > 0 then 'fail' else 'pass' end as verdict,
    case when why_not is not null then why_not else nullif(concat_ws('; ',
        nullif(array_to_string(found, '; '), ''),
        case when runs_failed between 1 and drops
            then runs_failed || if(runs_failed = 1, ' run does', ' runs do') || ' not comply, which the olympic mean allows' end,
        case when others > 0 then others || if(others = 1, ' other file is', ' other files are') || ' in the folder' end), '')
    end as reason,
    evidence.path as path, evidence.line as line,
    case when why_not is null then len(found)::varchar end as value, case when why_not is null then '0' end as limit_value,
    rule_set, rule_set_version,
    case when why_not is null then 'seeds: ' || seeds || '; convergence: ' || rcp || '; power: ' || power end as options
from said
