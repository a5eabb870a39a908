-- Every verdict of the official rules: one row for each run or result set and rule.
-- rule | - | official_compliance, official_seeds, official_rcp ...
-- subject | - | result set
-- run_number | - | n of result_n.txt; NULL: the result set as a whole
-- verdict | - | pass, fail, invalid input (the official tool crashes on it) or not judged
-- reason | - | why, in one sentence
-- path | - | file of the evidence
-- line | - | its line; NULL: the file as a whole
-- value | - | what was found
-- limit_value | - | what it was held against
-- rule_set | - | official rule set that it was judged by
-- rule_set_version | - | package of the rules and its version
-- options | - | what else the verdict depends on
select 'official_compliance' as rule, result_set as subject, run_number, verdict, reason, path, line, value,
    limit_value, rule_set, rule_set_version, options
from official_compliance
union all
select 'official_' || what, result_set, null, verdict, reason, path, line, value, limit_value, rule_set,
    rule_set_version, options
from (
    select 'seeds' as what, * from official_seeds
    union all select 'rcp', result_set, verdict, reason, path, line, value, limit_value, rule_set,
        rule_set_version, options from official_rcp
    union all select 'system_description', * from official_system_description
    union all select 'power', * from official_power
    union all select 'package', * from official_package
)
