-- What the official result summarizer says of each result set (mlcommons/logging result_summarizer), from our
-- own score and convergence test; fields of the system description as logged.
-- result_set | - | result set
-- round | - | such as v1.1
-- rule_set | - | official rule set that it is judged by; NULL: none
-- organization | - | submitter, from the path
-- description | - | name of the file that describes the system, and of its folder of results
-- division | - | closed or open
-- availability | - | status in the system description
-- submitter | - | as logged in the description, else from the path
-- system | - | system_name in the description, else the name of its file
-- number_of_nodes | - | as logged
-- host_processor_model_name | - | as logged
-- host_processors_count | processors | in all nodes
-- accelerator_model_name | - | as logged
-- accelerators_count | accelerators | in all nodes; 0: there are none
-- framework | - | as logged, less the hash of a TensorFlow commit
-- notes | - | notes on hardware and software as logged
-- benchmark | - | folder name of the benchmark
-- score_min | min | olympic mean of time to train, times the factor of a scaling.json; NULL: no score
-- global_batch_size | samples | logged last in every run; NULL: open division, not logged, or not the same
-- samples_to_converge | of its unit | olympic mean of what the runs took to converge: epochs, samples or tokens
-- rcp_state | - | Pass, Fail, Interp. Fail, Missing, No RCP or Unknown state; NULL: the open division
-- rcp_scaling_factor | ratio | from a scaling.json; 1: there is none
-- details_url | - | where MLCommons publishes the description
-- code_url | - | where MLCommons publishes the code
with described as (
    select *, json_extract_string(fields, '$.submitter') as submitter,
        json_extract_string(fields, '$.number_of_nodes') as nodes_said,
        nullif(json_extract_string(fields, '$.hw_notes'), '') as hw_notes,
        nullif(json_extract_string(fields, '$.sw_notes'), '') as sw_notes,
        system_name = 'tpu-v3' as is_tpu
    from system_scale
), placed as (
    select s.*, o.rule_set, o.usage, o.is_closed,
        'https://github.com/mlcommons/' || o.usage || '_results_' || s.round as base_url
    from score s
    join official_set o using (result_set)
)
select s.result_set, s.round, s.rule_set, s.organization, s.system as description, s.division, d.status as availability,
    coalesce(d.submitter, s.organization) as submitter,
    case when d.is_tpu then 'TPUv3.' || (d.accelerators_per_node * 2) else coalesce(d.system_name, s.system) end as system,
    d.nodes_said as number_of_nodes, d.host_processor_model as host_processor_model_name,
    try_cast(d.host_processors_per_node as integer) * d.nodes as host_processors_count,
    if(d.accelerator_model = 'tpu-v3', 'TPUv3', d.accelerator_model) as accelerator_model_name,
    d.nodes * d.accelerators_per_node as accelerators_count,
    if(contains(d.framework, 'TensorFlow'), regexp_replace(d.framework, ' commit hash = .*', ''), d.framework) as framework,
    concat_ws(';', d.hw_notes, d.sw_notes) as notes,
    s.benchmark, s.score_scaled_min as score_min,
    case when s.is_closed then r.global_batch_size end as global_batch_size,
    case when s.is_closed and r.runs_not_converged <= if(r.benchmark = 'unet3d', 4, 1) then r.mean_converged end
        as samples_to_converge,
    case when o.verdict = 'pass' then 'Pass'
        when r.rcp_case = 'no points' and s.is_closed then 'No RCP'
        when o.verdict in ('fail', 'invalid input') then case o.rcp_case when 'found' then 'Fail'
            when 'interpolated' then 'Interp. Fail' when 'missing' then 'Missing' else 'Unknown state' end end as rcp_state,
    coalesce(s.scaling_factor, 1) as rcp_scaling_factor,
    s.base_url || '/blob/main/' || coalesce(d.submitter, s.organization) || '/systems/' || s.system || '.json' as details_url,
    s.base_url || '/blob/master/' || coalesce(d.submitter, s.organization) || '/benchmarks' as code_url
from placed s
left join described d on d.collection = s.collection and d.system = s.system and d.round is not distinct from s.round
    and d.organization is not distinct from s.organization
left join official_rcp o using (result_set)
left join rcp_comparison r on r.result_set = s.result_set and r.is_pruned
