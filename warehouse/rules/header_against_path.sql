-- title: Log header against path
-- severity: graded
-- applies to: result sets
-- basis: X16 of the cross-run rules; identity comes from the path, the header is a cross-check
-- why: A header that names another organisation, benchmark or division may mean that the log is another's.
-- remedy: Set submission_org, submission_benchmark, submission_division and submission_status in the launch script; move misplaced logs.
-- false positives: Upper and lower case, spaces and signs are ignored; an organisation may submit under a parent's name. "available" in a system description goes with any status but research and preview.
with plain as (
    select h.*, d.division as described_division, d.status as described_status,
        regexp_replace(lower(coalesce(h.organization, '')), '[^a-z0-9]', '', 'g') as org,
        regexp_replace(lower(logged_organization), '[^a-z0-9]', '', 'g') as said_org
    from run_header h
    left join system_scale d on d.collection = h.collection and d.system = h.system
        and d.round is not distinct from h.round and d.organization is not distinct from h.organization
    where h.is_counted and h.kind = 'logged'
), statuses as (
    select e.run_id, arg_max(lower(json_extract_string(e.value, '$')), e.line) as said, max(e.line) as line
    from event e
    where e.key = 'submission_status'
    group by e.run_id
), mismatches as (
    select *, 'error' as severity, 'benchmark' as what, logged_benchmark as said, 'path' as other, benchmark as expected,
        first_line as at_line
    from plain
    where lower(logged_benchmark) <> lower(benchmark)
        and not (logged_benchmark in ('gnn', 'rgat') and benchmark in ('gnn', 'rgat'))
    union all
    select *, 'warning', 'organisation', logged_organization, 'path', organization, logged_organization_line
    from plain
    where organization is not null and said_org <> '' and not contains(org, said_org) and not contains(said_org, org)
    union all
    select *, 'warning', 'division', logged_division, 'system description', described_division, first_line
    from plain
    where lower(logged_division) <> described_division
    union all
    select p.*, 'warning', 'status', s.said, 'system description', p.described_status, s.line
    from plain p
    join statuses s using (run_id)
    where case when s.said like '%cloud%' then 'cloud' when s.said like '%onprem%' then 'onprem'
            when s.said like '%research%' then 'research' when s.said like '%preview%' then 'preview' end
        <> case when lower(described_status) like '%cloud%' then 'cloud'
            when regexp_matches(lower(described_status), 'on-?prem') then 'onprem'
            when regexp_matches(lower(described_status), 'research|rdi') then 'research'
            when lower(described_status) like '%preview%' then 'preview' end
)
select severity, result_set as subject,
    'the log of ' || count(*) || ' run(s) gives the ' || what || ' as ' || said || ', the ' || other || ' as ' || expected
        as message,
    min(path) as path, arg_min(at_line, path) as line, said as value, expected as limit_value
from mismatches
group by severity, result_set, what, said, other, expected
