-- title: Node counts measured in different ways
-- severity: warning
-- applies to: nccl-tests runs
-- basis: the rule of this project: bus bandwidths of two node counts are compared with the same versions, warm-up and iterations
-- why: nccl-tests 2.16.8 went from five warm-up iterations to one: small sizes of both are not the same quantity.
-- remedy: Run all node counts with one build and the same options.
-- false positives: A version that changed nothing for the collective.
select s.system || '/' || coalesce(s.collective, 'no collective') as subject,
    s.nodes || ' nodes against ' || s.base_nodes || ': ' || any_value(s.differences) as message, min(s.path) as path, arg_min(s.line, (s.path, s.line)) as line,
    any_value(s.differences) as value, null::varchar as limit_value
from nccl_scaling s
where not s.is_like_for_like
group by s.collection, s.system, s.collective, s.type, s.redop, s.nodes, s.base_nodes
