-- title: Waivers past their end or without a finding
-- severity: error
-- applies to: reference data
-- basis: the rule of this project: a waiver has a reason and an end
-- why: A waiver that nobody looks at hides the next finding of its kind.
-- remedy: Renew it with a reason, or delete it from data/waivers.toml.
-- false positives: None known; a waiver about a result set that is not loaded is left alone.
select subject, 'the waiver of ' || rule || ' is ' || status
        || case when status = 'stale' then ': it ended on ' || until
            when status = 'early' then ': it begins on ' || since
            when rule in (select rule from rule) then ': no finding matches it'
            else ': there is no such rule' end as message,
    'data/waivers.toml' as path, line, until::varchar as value, null::varchar as limit_value
from waiver_status
where status <> 'active' and (is_loaded or rule not in (select rule from rule))
