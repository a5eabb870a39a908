-- The worst of the verdicts on each result set by each rule: what a cell of the compliance matrix says.
-- result_set | - | result set
-- rule | - | rule that judges it
-- state | - | error, invalid input, warning, info, waived, not judged or pass, the worst first
-- failed | - | verdicts that are not a pass: of runs, or of rows that break the rule
-- judged | - | verdicts in all, without those that were not possible
-- reason | - | of the worst verdict, in one sentence; NULL: nothing to say
-- has_evidence | - | there is more to read than that it passes
-- rule_set | - | levelbook, or the official rule set
-- rule_set_version | - | of Levelbook, or package of the official rules and its version
with graded as (
    select v.*, case when v.verdict in ('pass', 'not judged') then v.verdict
        when v.is_waived then 'waived'
        when v.verdict = 'invalid input' then v.verdict
        else coalesce(v.severity, 'error') end as state
    from verdict v
    join result_set s on s.result_set = v.subject
), ranked as (
    select *, list_position(['error', 'invalid input', 'warning', 'info', 'waived', 'not judged', 'pass'],
        state) as place
    from graded
)
select subject as result_set, rule, arg_min(state, place) as state,
    count(*) filter (verdict in ('fail', 'invalid input')) as failed,
    count(*) filter (verdict <> 'not judged') as judged,
    first(reason order by place, run_number nulls first, path, line, reason) as reason,
    bool_or(verdict <> 'pass' or "value" is not null or reason is not null) as has_evidence,
    min(rule_set) as rule_set, min(rule_set_version) as rule_set_version
from ranked
group by subject, rule
