-- title: Claimed against recomputed score
-- severity: graded
-- applies to: result sets
-- basis: X21 of the cross-run rules; mlcommons/logging result_summarizer, whose table a submission may hold
-- why: A score that the logs do not give is not a result.
-- remedy: Make the summary anew from the final logs; add the logs of a cell that has none.
-- false positives: A summary of other rounds or submitters than were loaded; only systems of the row's submitter are compared.
with said as (
    select c.*, f.path
    from claimed_score c
    join source f using (source_id)
), matched as (
    select c.*, s.result_set, s.score_min as own_min, s.score_scaled_min, s.reason
    from said c
    left join (
        select s.*, d.system_name
        from score s
        left join system_scale d on d.collection = s.collection and d.system = s.system
            and d.round is not distinct from s.round and d.organization is not distinct from s.organization
    ) s on s.benchmark = c.benchmark and s.collection = c.collection and (c.round is null or s.round is null or s.round = c.round)
        and lower(regexp_replace(s.organization, '[^A-Za-z0-9]', '', 'g')) = lower(regexp_replace(c.organization, '[^A-Za-z0-9]', '', 'g'))
        and (c.division is null or s.division = c.division)
        and (s.system = c.description or (c.description is null and c.system in (s.system, s.system_name)))
)
select 'error' as severity, result_set as subject,
    case when own_min is null then 'a score of ' || score_min || ' min is claimed, the logs give none: ' || reason
        else 'a score of ' || score_min || ' min is claimed, the logs give ' || own_min || ' min' end as message,
    path, line, score_min::varchar as value, own_min::varchar as limit_value
from matched
where result_set is not null and (own_min is null
    or least(abs(score_min - own_min), abs(score_min - score_scaled_min)) > 1e-6 * own_min)
union all
select 'warning', concat_ws('/', coalesce(round, 'no round'), coalesce(division, 'no division'),
        coalesce(organization, 'unassigned'), coalesce(description, system), benchmark),
    'a score of ' || score_min || ' min is claimed, but no logs of it were loaded', path, line, score_min::varchar, null
from matched
where result_set is null
