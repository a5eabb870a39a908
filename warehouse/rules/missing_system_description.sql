-- title: System description missing
-- severity: warning
-- applies to: result sets
-- basis: mlcommons/policies submission_rules: systems/<system>.json for every results/<system>
-- why: Without it the node and accelerator counts are unknown, so nothing can be compared or scaled.
-- remedy: Load systems/<system>.json together with the results, or name the system in a source.toml.
-- false positives: Logs of one's own that were never meant as a submission.
select s.result_set as subject,
    'no systems/' || s.system || '.json was loaded: nodes and accelerators are unknown' as message,
    min(r.path) as path, null::bigint as line, null::varchar as value, null::varchar as limit_value
from result_set s
join run_result r using (result_set)
where s.nodes is null and not exists (
    select 1 from system_scale d
    where d.collection = s.collection and d.system = s.system and d.round is not distinct from s.round
        and d.organization is not distinct from s.organization)
group by s.result_set, s.system
