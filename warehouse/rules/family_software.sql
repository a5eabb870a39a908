-- title: Software and hosts over the node counts of a family
-- severity: graded
-- applies to: result sets
-- basis: X23 of the cross-run rules; training_policies training_rules, section 2.2 (System and framework must be consistent)
-- why: Where the software or the hosts changed between two node counts, the difference in score is not scaling alone.
-- remedy: Run both ends with the same software, or say beside the comparison what differs; correct the system descriptions.
-- false positives: Descriptions that were written differently for the same thing; case and spaces are ignored, and packages that one side does not list. Other software is a warning, other hosts a note.
with ends as (
    select s.result_set, b.result_set as base_set, s.system, b.system as base_system, s.benchmark, d.path,
        d.fields as here, o.fields as there
    from scaling_base f
    join result_set s on s.result_set = f.result_set
    join result_set b on b.result_set = f.base_set
    join system_scale d on d.collection = s.collection and d.system = s.system
        and d.round is not distinct from s.round and d.organization is not distinct from s.organization
    join system_scale o on o.collection = b.collection and o.system = b.system
        and o.round is not distinct from b.round and o.organization is not distinct from b.organization
    where f.scale > f.base_scale
), fields as (
    select * from (values ('framework', 'warning'), ('operating_system', 'info'),
        ('host_processor_model_name', 'info'), ('host_processors_per_node', 'info'), ('host_memory_capacity', 'info'),
        ('accelerator_interconnect', 'info')) as known (field, severity)
), software as (
    select * exclude (here, there),
        case json_type(here, '$.other_software_stack') when 'ARRAY' then json_extract(here, '$.other_software_stack[0]')
            else json_extract(here, '$.other_software_stack') end as here,
        case json_type(there, '$.other_software_stack') when 'ARRAY' then json_extract(there, '$.other_software_stack[0]')
            else json_extract(there, '$.other_software_stack') end as there
    from ends
), packages as (
    select *, unnest(json_keys(here)) as package
    from software
    where json_type(here) = 'OBJECT' and json_type(there) = 'OBJECT'
), compared as (
    select e.system, e.base_system, e.result_set, e.benchmark, e.path, f.field, f.severity,
        json_extract(here, '$.' || f.field)::varchar as value, json_extract(there, '$.' || f.field)::varchar as base_value
    from ends e
    cross join fields f
    union all
    select system, base_system, result_set, benchmark, path, package, 'warning',
        json_extract(here, '$."' || package || '"')::varchar, json_extract(there, '$."' || package || '"')::varchar
    from packages
    union all
    select system, base_system, result_set, benchmark, path, 'other_software_stack', 'warning', here::varchar,
        there::varchar
    from software
    where json_type(here) = 'VARCHAR' and json_type(there) = 'VARCHAR'
), different as (
    select * from compared
    where regexp_replace(lower(value), '[\s"]', '', 'g') <> regexp_replace(lower(base_value), '[\s"]', '', 'g')
)
select severity, min(result_set) as subject,
    'against ' || base_system || ', for ' || string_agg(distinct benchmark, ', ' order by benchmark) || ': '
        || string_agg(distinct field || ' ' || left(trim(base_value, '"'), 80) || ' -> ' || left(trim(value, '"'), 80),
            '; ' order by field || ' ' || left(trim(base_value, '"'), 80) || ' -> ' || left(trim(value, '"'), 80)) as message,
    min(path) as path, null::bigint as line, trim(arg_min(value, field), '"') as value,
    trim(arg_min(base_value, field), '"') as limit_value
from different
group by severity, system, base_system
