-- Official compliance of each run.
-- run_id | - | run
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
select run_id, result_set, run_number, 'not judged' as verdict, null::varchar as reason, null::varchar as path, null::bigint as line, null::varchar as value,
    null::varchar as limit_value, null::varchar as rule_set, null::varchar as rule_set_version, null::varchar as options
from run_header
where false
