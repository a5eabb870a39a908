-- Official check of the system description of each result set: the keys that must be there, and from rule set
-- 4.0 on the words for availability (mlcommons/logging system_desc_checker; package_checker reads the file first).
-- result_set | - | result set
-- verdict | - | pass, fail, invalid input (the official tool crashes on it) or not judged
-- reason | - | why, in one sentence
-- path | - | file of the evidence
-- line | - | its line; NULL: the file as a whole
-- value | - | what was found
-- limit_value | - | what it was held against
-- rule_set | - | official rule set that it was judged by
-- rule_set_version | - | package of the rules and its version
-- options | - | what else the verdict depends on
with described as (
    select s.*, coalesce(d.source_id, p.source_id) as source_id
    from official_set s
    join result_set r using (result_set)
    left join (
        select d.collection, d.round, d.organization, d.system, max(d.source_id) as source_id
        from system d
        group by all
    ) d on d.collection = r.collection and d.system = r.system and d.round is not distinct from r.round
        and d.organization is not distinct from r.organization
    left join (
        select path, max(source_id) as source_id from source where format = 'mlperf_system' group by path
    ) p on p.path = s.home || 'systems/' || r.system || '.json'
), judged as (
    select d.*, f.path as file, o.fault, o.missing, o.status, o.statuses,
        o.missing is not null as is_incomplete,
        d.usage = 'training' and d.version >= 4 and o.status is not null
            and not list_contains(string_split(o.statuses, '; '), o.status) as is_odd,
        coalesce(d.not_judged, case when d.version < 1 then 'descriptions are checked from rule set 1.0.0 on' end) as why_not
    from described d
    left join official_system o using (source_id)
    left join source f using (source_id)
)
select result_set,
    case when why_not is not null then 'not judged' when file is null or fault is not null then 'invalid input'
        when is_incomplete or is_odd then 'fail' else 'pass' end as verdict,
    case when why_not is not null then why_not
        when file is null then 'the system description is missing'
        when fault is not null then 'the system description cannot be read: ' || fault
        when is_incomplete then 'the system description lacks ' || (length(missing) - length(replace(missing, ',', '')) + 1)
            || ' of the required keys: ' || missing
        when is_odd then 'status in the system description is none of the four words' end as reason,
    coalesce(file, path) as path, null::bigint as line,
    case when is_incomplete then missing when is_odd then status end as value,
    case when is_incomplete then 'all required keys' when is_odd then statuses end as limit_value,
    rule_set, rule_set_version, null::varchar as options
from judged
