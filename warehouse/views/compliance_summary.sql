-- How many rules each result set passes and breaks.
-- result_set | - | result set
-- errors | - | rules broken at severity error and not waived
-- invalid_inputs | - | rules that an official tool cannot even apply
-- warnings | - | rules broken at severity warning and not waived
-- infos | - | rules with something to know
-- waived | - | rules broken and accepted by a waiver
-- not_judged | - | rules that could not be applied
-- passes | - | rules passed
-- compliance | - | the same in words, the worst first
with counted as (
    select result_set,
        count(*) filter (state = 'error') as errors,
        count(*) filter (state = 'invalid input') as invalid_inputs,
        count(*) filter (state = 'warning') as warnings,
        count(*) filter (state = 'info') as infos,
        count(*) filter (state = 'waived') as waived,
        count(*) filter (state = 'not judged') as not_judged,
        count(*) filter (state = 'pass') as passes
    from compliance_state
    group by result_set
)
select *, concat_ws(', ',
    case when errors > 0 then errors || case when errors = 1 then ' error' else ' errors' end end,
    case when invalid_inputs > 0 then invalid_inputs || ' invalid input' end,
    case when warnings > 0 then warnings || case when warnings = 1 then ' warning' else ' warnings' end end,
    case when errors + invalid_inputs + warnings = 0 and passes + infos + waived > 0 then 'passes' end,
    case when waived > 0 then waived || ' waived' end,
    case when passes + errors + warnings + infos + waived + invalid_inputs = 0 then 'not judged' end) as compliance
from counted
