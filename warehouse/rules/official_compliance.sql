-- title: Official compliance check
-- severity: graded
-- applies to: result sets
-- basis: mlcommons/logging compliance_checker, the rule files of the round; mlcommons/training_policies training_rules
-- why: A log that does not keep to the rules of its round cannot be compared with others, and the submission is refused.
-- remedy: Correct what the log says at that line, and run again; a run more than may be dropped makes the submission fail.
-- false positives: The rules of today are stricter than those of older rounds: up to v1.1 the names of initialised weights were no error.
with drops as (
    select c.result_set, count(*) as runs, count(*) filter (c.verdict in ('fail', 'invalid input')) as failing,
        coalesce(any_value(s.drops), 1) as drops
    from official_compliance c
    left join result_set s using (result_set)
    group by c.result_set
), broken as (
    select c.result_set, c.run_id, c.path, c.rule_set, m.ordinal, m.kind, m.key, m.reason, m.line, m.occurrences,
        m.value, m.limit_value
    from official_compliance c
    join compliance_message m using (run_id)
    where c.verdict = 'fail' and m.severity = 'error'
    union all
    select result_set, null, path, rule_set, 1, 'input', null, reason, line, 1, value, limit_value
    from official_compliance
    where verdict = 'fail' and run_id is null
), grouped as (
    select result_set, any_value(rule_set) as rule_set, count(distinct path) as files,
        arg_min(struct_pack(reason, path, line, value, limit_value, occurrences), (path, ordinal)) as first_one
    from broken
    group by result_set, kind, key, limit_value
)
select case when d.failing > d.drops then 'error' else 'warning' end as severity, g.result_set as subject,
    g.first_one.reason
        || case when g.first_one.occurrences > 1 then ', on ' || g.first_one.occurrences || ' lines of it' else '' end
        || ': ' || g.files || ' of ' || d.runs || ' runs'
        || case when d.failing <= d.drops then ', accepted as dropped from the score' else '' end
        || coalesce(' (' || g.rule_set || ')', '') as message,
    g.first_one.path as path, g.first_one.line as line, g.first_one.value as value,
    g.first_one.limit_value as limit_value
from grouped g
join drops d using (result_set)
union all
select 'error', result_set, 'the official checker breaks down on this file: ' || reason
        || coalesce(' (' || rule_set || ')', ''), path, line, value, limit_value
from official_compliance
where verdict = 'invalid input'
