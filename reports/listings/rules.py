"""Table: the rules."""

VIEW = """
SELECT r.severity, r.rule, r.title, r.applies_to,
    count(f.rule) FILTER (NOT f.is_waived) AS open,
    count(f.rule) FILTER (f.is_waived) AS waived, r.basis
FROM rule AS r
LEFT JOIN finding AS f ON f.rule = r.rule
GROUP BY r.severity, r.rule, r.title, r.applies_to, r.basis
ORDER BY list_position(['result sets', 'files', 'reference data', 'fio runs',
    'nccl-tests runs'], r.applies_to), NOT starts_with(r.rule, 'official_'),
    list_position(['error', 'graded', 'warning', 'info'], r.severity), r.rule
"""

TITLE = "The rules"

FILTERABLE = True

HEADINGS = {"open": "Open findings", "waived": "Waived", "basis": "Rests on"}
