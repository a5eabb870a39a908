-- title: Numbers with few digits
-- severity: info
-- applies to: fio runs
-- basis: I4 of the fio fair-run rules: fio rounds the numbers of its normal text to three or four digits
-- why: Small differences between two such results are nothing but rounding.
-- remedy: Run with --output-format=json and load that.
-- false positives: None known.
select case when count(distinct path) > 1 then system || coalesce('@' || nullif(collection, ''), '') else min(path) end as subject,
    count(distinct run_id) || case count(distinct run_id) when 1 then ' run comes' else ' runs come' end
        || ' from normal text, rounded to three or four digits' as message,
    min(path) as path, arg_min(line, (path, line)) as line, null::varchar as value, null::varchar as limit_value
from fio_result
where is_rounded and status = 'complete'
group by collection, system
