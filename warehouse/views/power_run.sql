-- The power files of each run of a result set that has any, and what the official power check holds against
-- it (mlcommons/logging package_checker/power_checker.py).
-- run_id | - | run
-- result_set | - | result set it belongs to
-- run_number | - | n of result_n.txt
-- folder | - | where its power files must be
-- nodes | - | power files of nodes, node_<i>
-- switches | - | power files of switches, sw_<i>
-- fault | - | what is wrong, as the end of a sentence; NULL: nothing
-- is_crash | - | the official tool crashes on a name
with files as (
    select distinct regexp_extract(path, '^(.*)/power/[^/]+/[^/]+$', 1) as set_folder,
        regexp_extract(path, '/power/([^/]+)/[^/]+$', 1) as result_name,
        regexp_replace(regexp_extract(path, '[^/]+$'), '\.[^.]*$', '') as name
    from source
    where regexp_matches(path, '/power/[^/]+/[^/]+$')
), counted as (
    select h.run_id, h.result_set, h.run_number, regexp_extract(h.path, '^(.*)[/!][^/!]+$', 1) as set_folder,
        regexp_replace(regexp_extract(h.path, '[^/!]+$'), '\.[^.]*$', '') as result_name
    from run_header h
    where h.is_counted
), runs as (
    select c.run_id, c.result_set, c.run_number, any_value(c.set_folder || '/power/' || c.result_name) as folder,
        count(f.name) as files,
        count(f.name) filter (starts_with(f.name, 'node')) as nodes, count(f.name) filter (starts_with(f.name, 'sw')) as switches,
        list(try_cast(split_part(f.name, '_', -1) as bigint)) filter (starts_with(f.name, 'node')) as node_numbers,
        list(try_cast(split_part(f.name, '_', -1) as bigint)) filter (starts_with(f.name, 'sw')) as switch_numbers
    from counted c
    left join files f using (set_folder, result_name)
    where c.set_folder in (select set_folder from files)
    group by c.run_id, c.result_set, c.run_number
), usual as (
    select *, mode(nodes) filter (files > 0) over everything as usual_nodes,
        mode(switches) filter (files > 0) over everything as usual_switches,
        list_contains(node_numbers, null) or len(list_filter(coalesce(node_numbers, []) || coalesce(switch_numbers, []), n -> n is null)) > 0
            as is_odd_name,
        max(files) over everything = 0 as is_empty
    from runs
    window everything as (partition by result_set)
)
select run_id, result_set, run_number, folder, nodes, switches,
    case when files = 0 then 'has no power files'
        when is_odd_name then 'has a power file whose name does not end in a number'
        when len(list_distinct(list_filter(node_numbers, n -> n between 0 and nodes - 1))) < nodes
            then 'has power files of nodes that are not numbered from 0 to ' || (nodes - 1)
        when len(list_distinct(list_filter(switch_numbers, n -> n between 0 and switches - 1))) < switches
            then 'has power files of switches that are not numbered from 0 to ' || (switches - 1)
        when nodes <> usual_nodes then 'has power files of ' || nodes || ' nodes, the others of ' || usual_nodes
        when switches <> usual_switches then 'has power files of ' || switches || ' switches, the others of ' || usual_switches
    end as fault,
    coalesce(is_odd_name, false) or is_empty as is_crash
from usual
