-- title: Platform of another system
-- severity: error
-- applies to: result sets
-- basis: X18 of the cross-run rules; mlcommons/policies submission_rules: submission_platform names the system
-- why: A log that names another system was made there, or by a launch script that was copied without being read.
-- remedy: Move misplaced logs; set submission_platform in the launch script.
-- false positives: Names are free text: case, signs and the node count in front are ignored, and only a full match with another system counts, or with what another submitter's logs of the round call their platform, unless the submitter's own description names it too.
with plain as (
    select h.*, d.system_name,
        regexp_replace(regexp_replace(lower(logged_platform), '^\d+ ?x', ''), '[^a-z0-9]', '', 'g') as said,
        regexp_replace(regexp_replace(lower(h.system), '^\d+x', ''), '[^a-z0-9]', '', 'g') as own,
        regexp_replace(lower(h.system || ' ' || coalesce(d.system_name, '')), '[^a-z0-9]', '', 'g') as described,
        regexp_replace(lower(h.organization), '[^a-z0-9]', '', 'g') as org
    from run_header h
    left join system_scale d on d.collection = h.collection and d.system = h.system
        and d.round is not distinct from h.round and d.organization is not distinct from h.organization
    where h.is_counted and h.kind = 'logged' and h.logged_platform is not null and h.organization is not null
), systems as (
    select collection, round, organization, own, min(system) as system from plain group by all
), platforms as (
    select collection, round, organization, org, said, count(*) as runs from plain where length(said) >= 6 group by all
), others as (
    select p.result_set, p.path, p.logged_platform, p.logged_platform_line, p.system, s.system as of
    from plain p
    join systems s on s.collection = p.collection and s.round is not distinct from p.round
        and s.organization = p.organization and s.own = p.said
    where p.said <> p.own
    union all
    select p.result_set, p.path, p.logged_platform, p.logged_platform_line, p.system, 'a system of ' || min(o.organization)
    from plain p
    join platforms o on o.collection = p.collection and o.round is not distinct from p.round
        and o.organization <> p.organization and o.said = p.said and contains(o.said, o.org)
    where not contains(p.described, p.said) and not contains(p.described, replace(p.said, o.org, ''))
        and not contains(p.said, p.own)
    group by all
)
select result_set as subject,
    'the log of ' || count(*) || ' run(s) gives the platform as ' || logged_platform || ', which is ' || min(of)
        || '; the path says ' || any_value(system) as message,
    min(path) as path, arg_min(logged_platform_line, path) as line, logged_platform as value,
    any_value(system) as limit_value
from others
group by result_set, logged_platform
