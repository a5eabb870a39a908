-- Official compliance of each run that counts: what mlcommons/logging compliance_checker says of its file, all
-- attempts in it together. A result file without any record has a row too, without a run.
-- stored
-- run_id | - | run; NULL: there is no record in the file
-- result_set | - | result set it belongs to
-- run_number | - | n of result_n.txt
-- verdict | - | pass, fail, invalid input (the official tool crashes on it) or not judged
-- reason | - | why, in one sentence
-- path | - | file of the evidence
-- line | - | its line; NULL: the file as a whole
-- value | - | what was found
-- limit_value | - | what it was held against
-- rule_set | - | official rule set that it was judged by
-- rule_set_version | - | package of the rules and its version
-- options | - | what else the verdict depends on
-- errors | - | number of different errors; NULL: not judged
-- warnings | - | number of different warnings; NULL: not judged
-- configs | - | rule files applied, in order; NULL: not judged
with found as (
    select run_id, count(*) filter (severity = 'error') as errors,
        count(*) filter (severity = 'warning') as warnings,
        arg_min(struct_pack(reason, line, value, limit_value), ordinal) filter (severity = 'error') as worst
    from compliance_message
    group by run_id
), judged as (
    select h.run_id, h.result_set, h.run_number, h.path, h.kind, u.reason as no_rules, u.rule_set, j.verdict,
        j.configs, coalesce(f.errors, 0) as errors, coalesce(f.warnings, 0) as warnings, f.worst
    from run_header h
    left join run_rule_set u using (run_id)
    left join compliance_judged j using (run_id)
    left join found f using (run_id)
    where h.is_counted
), silent as (
    select s.path, s.collection, regexp_extract(s.path, '^(.*[/!])[^/!]*$', 1) as folder,
        string_split(s.place, '/') as place,
        nullif(regexp_extract(s.path, '.*[_\-/ ](v\d{1,2}\.\d)(?:\.\d)?(?:[_\-/ ]|\.tar|\.tgz|\.zip)', 1), '') as round
    from source s
    where s.format = 'mlperf_log' and s.source_id not in (select source_id from run)
        and regexp_matches(s.path, '(^|[/!])result_[^/!]+\.txt$')
), beside as (
    select regexp_extract(path, '^(.*[/!])[^/!]*$', 1) as folder, min(result_set) as result_set,
        min(kind) as kind, min(rule_set) as rule_set, min(no_rules) as no_rules
    from judged
    group by all
), alone as (
    select s.*, coalesce(b.result_set, concat_ws('/', coalesce(s.round, 'no round'), 'no division',
            coalesce(nullif(s.place[1], ''), 'unassigned'), coalesce(nullif(s.place[2], ''), 'unassigned'),
            coalesce(nullif(s.place[3], ''), 'no benchmark'))
            || case when s.collection = '' then '' else '@' || s.collection end) as result_set,
        coalesce(b.kind, c.kind) as kind, coalesce(b.rule_set, r.rule_set) as rule_set, b.no_rules
    from silent s
    join collection c on c.collection = s.collection
    left join beside b on b.folder = s.folder
    left join rule_set r on r.usage = 'training' and r.round = s.round
), rows_of_all as (
    select run_id, result_set, run_number, path, kind, no_rules, rule_set, verdict, configs, errors, warnings, worst
    from judged
    union all
    select null, result_set, try_cast(place[4] as integer), path, kind, no_rules, rule_set, 'fail', null, 1, 0,
        struct_pack(reason := 'no log lines: there is no record in the file', line := null,
            value := '0 records', limit_value := 'at least 1')
    from alone
)
select a.run_id, a.result_set, a.run_number,
    case when a.kind = 'reconstructed' then 'not judged' else coalesce(a.verdict, 'not judged') end as verdict,
    case when a.kind = 'reconstructed' then 'put together from published facts: there is no log to judge'
        when a.verdict is null then coalesce(a.no_rules, 'no official rule set is known')
        else a.worst.reason || case when a.errors > 1 then ' (and ' || a.errors - 1 || ' more)' else '' end
    end as reason,
    a.path,
    case when a.kind <> 'reconstructed' then a.worst.line::bigint end as line,
    case when a.kind <> 'reconstructed' then a.worst.value end as value,
    case when a.kind <> 'reconstructed' then a.worst.limit_value end as limit_value,
    a.rule_set, r.rules || ' ' || r.rules_version as rule_set_version, 'warnings are not errors' as options,
    case when a.kind <> 'reconstructed' and a.verdict is not null then a.errors end as errors,
    case when a.kind <> 'reconstructed' and a.verdict is not null then a.warnings end as warnings,
    a.configs
from rows_of_all a
left join rule_set r on r.rule_set = a.rule_set
