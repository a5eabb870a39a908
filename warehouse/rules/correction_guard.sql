-- title: Corrections that no longer fit, or are past their end
-- severity: error
-- applies to: reference data
-- basis: the rule of this project: a correction guards the value that it corrects
-- why: A correction written for other data would replace a result for no reason.
-- remedy: Look at the result again, then change or delete the entry in data/corrections.toml.
-- false positives: None known.
select s.result_set as subject,
    c.correction || case when current_date > c.until then ' is stale: it ended on ' || c.until
        when current_date < c.since then ' is early: it begins on ' || c.since
        else ' expects ' || c.quantity || ' ' || c.expect || ', the data give '
            || coalesce(s.score_min::varchar, 'none') end as message,
    'data/corrections.toml' as path, c.line, s.score_min::varchar as value, c.expect::varchar as limit_value
from correction c
join score s on s.round = c.round and s.organization = c.organization and s.system = c.system
    and s.benchmark = c.benchmark and s.division = c.division and s.collection = c.collection
where c.quantity = 'score_min' and (s.score_min is null or abs(s.score_min - c.expect) > c.tolerance
    or current_date not between c.since and c.until)
