-- title: Official check of the system description
-- severity: graded
-- applies to: result sets
-- basis: mlcommons/policies submission_rules, section on system descriptions; mlcommons/logging system_desc_checker
-- why: The official checkers stop at a description that is missing or no JSON, and refuse one without a required key.
-- remedy: Complete systems/<system>.json; keys are compared letter by letter, and may be empty.
-- false positives: Logs of one's own that were never meant as a submission: a warning outside the submission layout.
select case when s.home is null then 'warning' else 'error' end as severity, o.result_set as subject,
    o.reason || ' (' || o.rule_set || ')' as message, o.path, o.line, o.value, o.limit_value
from official_system_description o
join official_set s using (result_set)
where o.verdict in ('fail', 'invalid input')
