-- What all official checks of a result set share: the rules that judge it, and why none may.
-- result_set | - | result set
-- usage | - | training or hpc; NULL: no run has rules
-- rule_set | - | official rule set that it is judged by; NULL: none
-- rule_set_version | - | package of the rules and its version
-- version | - | 1.1 for rule set 1.1.0; NULL: none
-- not_judged | - | why no official check applies; NULL: they do
-- is_closed | - | of the closed division, which alone has seeds and convergence checked
-- home | - | folder that holds results/ and systems/; NULL: not in that layout
-- folder | - | folder of the runs
-- benchmark_folder | - | its name, where it is in that layout, else the benchmark
-- path | - | first run's file
-- has_rcp_bypass | - | a package_checker_params waives the convergence test
-- has_seed_bypass | - | a package_checker_params waives the seed check
-- bypass_path | - | that file
-- bypass_line | - | line of the flag
with bypass as (
    select f.collection, f.round, f.organization, f.system, f.benchmark, bool_or(f.flag = 'rcp-bypass') as is_rcp,
        bool_or(f.flag = 'seed-checker-bypass') as is_seed, min(s.path) as path, arg_min(f.line, s.path) as line
    from checker_flag f
    join source s using (source_id)
    group by all
), sets as (
    select h.result_set, min(s.usage) as usage, min(s.rule_set) as rule_set,
        min(s.reason) filter (s.rule_set is null) as no_rules,
        arg_min(h.path, h.run_number) as path
    from run_header h
    left join run_rule_set s using (run_id)
    where h.is_counted
    group by h.result_set
), placed as (
    select t.*, r.rules || ' ' || r.rules_version as rule_set_version,
        try_cast(regexp_extract(r.version, '^\d+\.\d+') as double) as version,
        s.* exclude (result_set), regexp_extract(t.path, '^(.*)[/!][^/!]+$', 1) as folder,
        regexp_extract(t.path, '^((?:.*[/!])?)results/[^/]+/', 1) as home_folder,
        regexp_matches(t.path, '^(?:.*[/!])?results/[^/]+/') as is_placed
    from sets t
    join result_set s using (result_set)
    left join rule_set r using (rule_set)
)
select p.result_set, p.usage, p.rule_set, p.rule_set_version, p.version,
    case when p.rule_set is null then coalesce(p.no_rules, 'no official rule set is known')
        when p.kind = 'reconstructed' then 'put together from published facts: there is no log to judge' end as not_judged,
    coalesce(p.division = 'closed', false) as is_closed, if(is_placed, home_folder, null) as home, p.folder,
    p.benchmark as benchmark_folder, p.path,
    coalesce(bool_or(b.is_rcp), false) as has_rcp_bypass, coalesce(bool_or(b.is_seed), false) as has_seed_bypass,
    min(b.path) as bypass_path, arg_min(b.line, b.path) as bypass_line
from placed p
left join bypass b on b.collection = p.collection and b.system = p.system and b.round is not distinct from p.round
    and b.organization is not distinct from p.organization and (b.benchmark = p.benchmark or b.benchmark is null)
group by all
