-- Every row that breaks a rule, with its evidence. A waiver is shown beside the finding and never hides it.
-- rule | - | the rule that is broken
-- severity | - | error, warning or info
-- subject | - | result set, or file
-- message | - | what is wrong, in one sentence
-- path | - | file of the evidence
-- line | - | its line; NULL: the file as a whole
-- value | - | what was found
-- limit_value | - | what it was held against
-- remedy | - | what to do
-- is_waived | - | an active waiver accepts it
-- waiver_reason | - | why
-- title | - | the rule in words
-- basis | - | what the rule rests on
with everything as (
    select * from judged
    union all
    select * from judged_waiver
), waived as (
    select rule, subject, any_value(reason order by line) as reason
    from waiver_status
    where status = 'active'
    group by rule, subject
)
select e.rule, e.severity, e.subject, e.message, e.path, e.line, e.value, e.limit_value,
    r.remedy, coalesce(own.reason, every.reason) is not null as is_waived,
    coalesce(own.reason, every.reason) as waiver_reason, r.title, r.basis
from everything e
join rule r on r.rule = e.rule
left join waived own on own.rule = e.rule and own.subject = e.subject
left join waived every on every.rule = e.rule and every.subject = split_part(e.subject, '@', 1)
