-- title: Corrections that no longer fit
-- severity: error
-- applies to: reference data
-- basis: the rule of this project: a correction guards the value that it corrects
-- why: A correction written for other data would replace a result for no reason.
-- remedy: Look at the result again, then change or delete the entry in data/corrections.toml.
-- false positives: None known.
select s.result_set as subject,
    c.correction || ' expects ' || c.quantity || ' ' || c.expect || ', the data give '
        || coalesce(s.score_min::varchar, 'none') as message,
    'data/corrections.toml' as path, c.line, s.score_min::varchar as value, c.expect::varchar as limit_value
from correction c
join score s on s.round = c.round and s.organization = c.organization and s.system = c.system
    and s.benchmark = c.benchmark and s.division = c.division and s.collection = c.collection
where c.quantity = 'score_min' and (s.score_min is null or abs(s.score_min - c.expect) > c.tolerance)
