-- title: Numbers of the system description against name and logs
-- severity: warning
-- applies to: result sets
-- basis: X24 of the cross-run rules; mlcommons/policies submission_rules: the system description tells nodes and accelerators; no tool looks at the values
-- why: Scale, efficiency and every number per accelerator rest on these two counts.
-- remedy: Correct number_of_nodes and accelerators_per_node in systems/<system>.json, or the name.
-- false positives: A number in front of a name that is no node count. Batches are compared where the log gives one for each device; a batch that goes to several devices together, in model parallel training, is no mismatch.
with described as (
    select s.result_set, s.system, s.nodes, s.accelerators, s.global_batch_size, d.path, d.fields
    from result_set s
    join system_scale d on d.collection = s.collection and d.system = s.system
        and d.round is not distinct from s.round and d.organization is not distinct from s.organization
    where s.kind = 'logged'
), numbers as (
    select * from (values ('number_of_nodes'), ('accelerators_per_node'), ('host_processors_per_node')) as known (field)
), batches as (
    select d.result_set, d.path, d.accelerators, d.global_batch_size as batch, b.line, b.path as log,
        try_cast(b.value as double) as device_batch, coalesce(try_cast(a.value as double), 1) as steps
    from described d
    join hyperparameter_kind b on b.result_set = d.result_set and b.key = 'd_batch_size'
    left join hyperparameter_kind a on a.result_set = d.result_set and a.key = 'gradient_accumulation_steps'
), prefixed as (
    select d.result_set, d.path, d.nodes, try_cast(regexp_extract(d.system, '^(\d+)x', 1) as integer) as named, d.system
    from described d
), logged as (
    select h.result_set, min(h.path) as log, h.nodes, any_value(h.logged_platform) as platform,
        arg_min(h.logged_platform_line, h.path) as line,
        try_cast(regexp_extract(h.logged_platform, '^(\d+) ?x', 1) as integer) as named
    from run_header h
    where h.is_counted and h.kind = 'logged'
    group by all
), found as (
    select result_set, path, null::bigint as line, field || ' is ' || json_extract_string(fields, '$.' || field)
            || ', no number' as message, json_extract_string(fields, '$.' || field) as value, 'a number' as limit_value
    from described
    cross join numbers
    where json_extract_string(fields, '$.' || field) <> ''
        and try_cast(json_extract_string(fields, '$.' || field) as double) is null
    union all
    select result_set, path, null, 'the name ' || system || ' says ' || named || ' node(s), the description ' || nodes,
        named::varchar, nodes::varchar
    from prefixed
    where named <> nodes
    union all
    select result_set, log, line, 'the logged platform ' || platform || ' says ' || named || ' node(s), the description '
        || nodes, named::varchar, nodes::varchar
    from logged
    where named <> nodes
    union all
    select result_set, log, line, accelerators || ' accelerators with ' || device_batch || ' samples each'
            || case when steps > 1 then ' and ' || steps || ' steps of accumulation' else '' end
            || ' do not make the global batch size ' || batch::bigint,
        (accelerators * device_batch)::varchar, batch::bigint::varchar
    from batches
    where device_batch > 0 and (accelerators * device_batch * steps) % batch <> 0 and accelerators * device_batch <> batch
)
select result_set as subject, message, path, line, value, limit_value
from found
