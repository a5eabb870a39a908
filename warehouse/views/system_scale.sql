-- System descriptions, one row each, as logged; the fields that people compare as columns.
-- collection | - | source.toml that governs the file, '' for none
-- round | - | such as v1.1
-- organization | - | submitter, from the path
-- system | - | name of the description's file
-- division | - | as logged, in lower case
-- status | - | availability as logged
-- system_name | - | as logged
-- nodes | nodes | NULL: not given or no number
-- accelerators_per_node | accelerators | 0: a system without accelerators
-- accelerators | accelerators | in all nodes; nodes where there are none
-- accelerator_model | - | as logged
-- host_processor_model | - | as logged
-- host_processors_per_node | - | as logged
-- host_memory | - | as logged
-- host_storage | - | as logged
-- host_networking | - | as logged
-- accelerator_interconnect | - | as logged
-- framework | - | as logged
-- operating_system | - | as logged
-- software | - | other_software_stack as logged, JSON
-- path | - | file
-- fields | - | all fields, JSON
select s.collection, s.round, s.organization, s.system,
    lower(json_extract_string(fields, '$.division')) as division,
    json_extract_string(fields, '$.status') as status,
    json_extract_string(fields, '$.system_name') as system_name,
    nodes, accelerators_per_node, nodes * if(accelerators_per_node = 0, 1, accelerators_per_node) as accelerators,
    json_extract_string(fields, '$.accelerator_model_name') as accelerator_model,
    json_extract_string(fields, '$.host_processor_model_name') as host_processor_model,
    json_extract_string(fields, '$.host_processors_per_node') as host_processors_per_node,
    json_extract_string(fields, '$.host_memory_capacity') as host_memory,
    json_extract_string(fields, '$.host_storage_capacity') as host_storage,
    json_extract_string(fields, '$.host_networking') as host_networking,
    json_extract_string(fields, '$.accelerator_interconnect') as accelerator_interconnect,
    json_extract_string(fields, '$.framework') as framework,
    json_extract_string(fields, '$.operating_system') as operating_system,
    json_extract(fields, '$.other_software_stack')::varchar as software,
    f.path, fields::varchar as fields
from system s
join source f using (source_id)
qualify row_number() over (
    partition by s.collection, s.round, s.organization, s.system order by source_id) = 1
