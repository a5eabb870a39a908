-- title: Log header against path
-- severity: graded
-- applies to: result sets
-- basis: X16 to X18 of the cross-run rules; identity comes from the path, the header is a cross-check
-- why: A header that names another organisation, system or benchmark may mean that the log is another's.
-- remedy: Set submission_org, submission_platform and submission_benchmark in the launch script; move misplaced logs.
-- false positives: Upper and lower case, spaces and signs are ignored; an organisation may submit under a parent's name.
with plain as (
    select *, regexp_replace(lower(coalesce(organization, '')), '[^a-z0-9]', '', 'g') as org,
        regexp_replace(lower(logged_organization), '[^a-z0-9]', '', 'g') as said_org,
        regexp_replace(regexp_replace(lower(logged_platform), '^\d+x', ''), '[^a-z0-9]', '', 'g') as said_platform,
        regexp_replace(regexp_replace(lower(system), '^\d+x', ''), '[^a-z0-9]', '', 'g') as plain_system
    from run_header
    where is_counted
), others as (
    select distinct collection, round, organization, plain_system from plain
), mismatches as (
    select p.*, 'error' as severity, 'benchmark' as what, logged_benchmark as said, benchmark as expected,
        first_line as at_line
    from plain p
    where lower(logged_benchmark) <> lower(benchmark)
        and not (logged_benchmark in ('gnn', 'rgat') and benchmark in ('gnn', 'rgat'))
    union all
    select p.*, 'warning', 'organisation', logged_organization, organization, logged_organization_line
    from plain p
    where organization is not null and said_org <> '' and not contains(org, said_org)
        and not contains(said_org, org)
    union all
    select p.*, 'warning', 'platform', logged_platform, system, logged_platform_line
    from plain p
    where contains(lower(logged_platform), 'placeholder')
    union all
    select p.*, 'warning', 'platform', logged_platform, system, logged_platform_line
    from plain p
    where said_platform <> plain_system and exists (
        select 1 from others o
        where o.collection = p.collection and o.round is not distinct from p.round
            and o.organization is not distinct from p.organization and o.plain_system = p.said_platform)
)
select severity, result_set as subject,
    'the log of ' || count(*) || ' run(s) gives the ' || what || ' as ' || said || ', the path as ' || expected
        as message,
    min(path) as path, arg_min(at_line, path) as line, said as value, expected as limit_value
from mismatches
group by severity, result_set, what, said, expected
