-- title: Runs that were loaded again
-- severity: info
-- applies to: result sets
-- basis: the rule of this project: a log loaded later in the place of another one is its correction
-- why: A reviewer has to know that a result set was not always what it is now.
-- remedy: Nothing if the later log is the right one; else delete the database and load the right ones.
-- false positives: Two submissions without a round in their path; give it with --round.
select result_set as subject,
    'run ' || coalesce(run_number::varchar, '?') || ' was loaded again later with other contents, which count'
        as message,
    path, first_line as line, null::varchar as value, null::varchar as limit_value
from run_header
where reason = 'loaded again later with other contents'
