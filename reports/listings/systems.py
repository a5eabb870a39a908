"""Table: systems."""

VIEW = """
SELECT DISTINCT s.collection, s.round, s.organization, s.system, s.nodes,
    s.accelerators_per_node, s.accelerators,
    s.accelerator_model, s.host_processor_model, s.framework
FROM system_scale AS s
ORDER BY s.round DESC, s.organization, s.system, s.collection, s.framework,
    s.accelerator_model, s.host_processor_model
"""

TITLE = "Systems"

EMPTY = "No system description is loaded."

FILTERABLE = True
