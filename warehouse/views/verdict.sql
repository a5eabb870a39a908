-- Every verdict on every result set, and every finding on anything else: one row for each run or result
-- set and rule. A rule of Levelbook's own that finds nothing passes; one that cannot be evaluated judges nothing.
-- rule | - | name of the rule
-- subject | - | result set, or what else the rule judges
-- verdict | - | pass, fail, invalid input (the official tool crashes on it) or not judged
-- reason | - | why, in one sentence; NULL: nothing to say
-- path | - | file of the evidence
-- line | - | its line; NULL: the file as a whole
-- value | - | what was found
-- limit | - | what it was held against
-- rule_set | - | levelbook, or the official rule set that it was judged by
-- rule_set_version | - | of Levelbook, or package of the official rules and its version
-- severity | - | of the finding; NULL where there is none
-- is_waived | - | an active waiver accepts it; NULL where there is none
-- run_number | - | n of result_n.txt; NULL: the result set as a whole
-- options | - | what else the verdict depends on
select o.rule, o.subject, o.verdict, o.reason, o.path, o.line, o.value, o.limit_value as "limit",
    o.rule_set, o.rule_set_version, f.severity, f.is_waived, o.run_number, o.options
from official_verdict o
left join (
    select rule, subject, any_value(severity order by case severity when 'error' then 1 when 'warning' then 2
        else 3 end) as severity, bool_and(is_waived) as is_waived
    from finding
    group by rule, subject
) f on f.rule = o.rule and f.subject = o.subject and o.verdict <> 'pass'
union all
select f.rule, f.subject, 'fail', f.message, f.path, f.line, f.value, f.limit_value, 'levelbook', v.version,
    f.severity, f.is_waived, null, null
from finding f, levelbook_version v
where not starts_with(f.rule, 'official_')
union all
select r.rule, s.result_set, if(b.rule is null, 'pass', 'not judged'), b.message, null, null, null, null,
    'levelbook', v.version, null, null, null, null
from rule r
cross join result_set s
cross join levelbook_version v
left join finding b on b.rule = r.rule and b.subject = 'rule ' || r.rule
where r.applies_to = 'result sets' and not starts_with(r.rule, 'official_') and not exists (
    select 1 from finding f where f.rule = r.rule and f.subject = s.result_set)
