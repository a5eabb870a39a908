-- title: Logs that could not be read in full
-- severity: graded
-- applies to: result sets
-- basis: the rule of this project: nothing is lost silently
-- why: A damaged or truncated log may hide an evaluation, a changed setting or the end of the run.
-- remedy: See the problem's own remedy; load the complete file.
-- false positives: None known; a stray partial copy that does not count is a warning.
select case when h.is_counted is not false then 'error' else 'warning' end as severity,
    coalesce(h.result_set, p.path) as subject, p.reason || '; ' || p.remedy as message, p.path, p.line,
    nullif(p.excerpt, '') as value, null::varchar as limit_value
from problem p
left join run r on r.source_id = p.source_id and r.is_last_attempt
left join run_header h using (run_id)
where p.severity = 'error'
