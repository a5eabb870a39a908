-- What each run is and what its own log says of it. Identity is the path's; the log is a cross-check.
-- stored
-- run_id | - | run
-- result_set | - | round/division/organization/system/benchmark, with @collection where there is one
-- collection | - | source.toml that governs the file, '' for none
-- round | - | such as v1.1
-- division | - | closed or open, from source.toml, else the log, else the system description
-- organization | - | from the path or a person
-- system | - | from the path or a person
-- benchmark | - | from the path or a person, else the log
-- run_number | - | n of result_n.txt
-- path | - | file
-- status | - | what run_stop says
-- is_counted | - | belongs to its result set's score
-- reason | - | why it does not, else NULL
-- logged_organization | - | submission_org in the log
-- logged_platform | - | submission_platform in the log
-- logged_benchmark | - | submission_benchmark in the log
-- logged_division | - | submission_division in the log
-- logged_platform_line | - | line of submission_platform
-- logged_organization_line | - | line of submission_org
-- nodes | nodes | from the system description
-- accelerators | accelerators | nodes times accelerators per node; nodes where there are none
-- round_number | - | 1.1 for v1.1; NULL: unknown
-- kind | - | logged or reconstructed
-- verification | - | official or unverified
-- first_line | - | first record of the run in the file
-- last_line | - | last record of the run
with said as (
    select run_id,
        arg_max(json_extract_string(value, '$'), line) filter (key = 'submission_org') as organization,
        arg_max(json_extract_string(value, '$'), line) filter (key = 'submission_platform') as platform,
        arg_max(json_extract_string(value, '$'), line) filter (key = 'submission_benchmark') as benchmark,
        arg_max(json_extract_string(value, '$'), line) filter (key = 'submission_division') as division,
        max(line) filter (key = 'submission_platform') as platform_line,
        max(line) filter (key = 'submission_org') as organization_line
    from event
    where key in ('submission_org', 'submission_platform', 'submission_benchmark', 'submission_division')
    group by run_id
), identified as (
    select r.*, s.path, n.nodes, n.accelerators, said.organization as logged_organization,
        said.platform as logged_platform, said.benchmark as logged_benchmark,
        said.division as logged_division, said.platform_line as logged_platform_line,
        said.organization_line as logged_organization_line,
        lower(coalesce(r.division, case when lower(said.division) in ('closed', 'open', 'network')
            then said.division end, n.division)) as settled_division,
        coalesce(r.benchmark, said.benchmark) as settled_benchmark,
        r.is_official_name and dense_rank() over (
            partition by r.collection, r.round, r.organization, r.system, r.is_official_name,
                coalesce(r.benchmark, said.benchmark), regexp_extract(s.path, '[^/!]+$')
            order by r.source_id desc) > 1 as is_replaced,
        c.kind as collection_kind, c.verification
    from run r
    join source s using (source_id)
    join collection c on c.collection = r.collection
    left join said using (run_id)
    left join system_scale n on n.collection = r.collection and n.system = r.system
        and n.round is not distinct from r.round
        and n.organization is not distinct from r.organization
    where r.kind = 'mlperf_training'
)
select run_id,
    concat_ws('/', coalesce(round, 'no round'), coalesce(settled_division, 'no division'),
        coalesce(organization, 'unassigned'), coalesce(system, 'unassigned'),
        coalesce(settled_benchmark, 'no benchmark'))
        || case when collection = '' then '' else '@' || collection end as result_set,
    collection, round, settled_division as division, organization,
    coalesce(system, 'unassigned') as system, settled_benchmark as benchmark, run_number, path,
    status, is_last_attempt and is_official_name is distinct from false
        and is_replaced is distinct from true as is_counted,
    case when is_replaced then 'loaded again later with other contents'
        when is_official_name is not distinct from false then 'not called result_<n>.txt'
        when not is_last_attempt then 'an earlier attempt in the same file' end as reason,
    logged_organization, logged_platform, logged_benchmark, logged_division, logged_platform_line,
    logged_organization_line, nodes, accelerators,
    try_cast(regexp_extract(round, '^v(\d+\.\d+)', 1) as double) as round_number,
    collection_kind as kind, verification, first_line, last_line
from identified
