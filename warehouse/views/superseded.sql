-- Corrections of data/corrections.toml that take effect: a result set and the one in its place. One
-- that no longer fits the data, or is past its end, has no effect and is a finding (correction_guard).
-- correction | - | name of the correction
-- result_set | - | result set that is superseded
-- new_set | - | result set in its place
-- superseded_min | min | score of the superseded one
-- new_min | min | score of the new one; plain mean where only that is known
-- printed_min | min | what the report prints for the superseded one
-- new_verification | - | official or unverified
-- new_kind | - | logged or reconstructed
-- reason | - | why
-- author | - | role of who decided it
-- since | - | from when on
select c.correction, s.result_set, n.result_set as new_set, s.score_min as superseded_min,
    coalesce(n.score_min, n.mean_min) as new_min, c.printed as printed_min,
    n.verification as new_verification, n.kind as new_kind, c.reason, c.author, c.since
from correction c
join score s on s.round = c.round and s.division = c.division and s.organization = c.organization
    and s.system = c.system and s.benchmark = c.benchmark and s.collection = c.collection
join score n on n.round = c.round and n.division = c.division and n.organization = c.organization
    and n.system = c.system and n.benchmark = c.benchmark and n.collection = c.superseded_by
where c.quantity = 'score_min' and abs(s.score_min - c.expect) <= c.tolerance
    and current_date between c.since and c.until
