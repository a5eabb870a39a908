-- title: Platform that was never filled in
-- severity: error
-- applies to: result sets
-- basis: X17 of the cross-run rules; mlcommons/policies submission_rules: submission_platform names the system
-- why: The log does not say on what it was made, so nothing ties it to the system of its folder.
-- remedy: Set submission_platform in the launch script and run again; a reviewer decides about logs as they are.
-- false positives: None known.
select result_set as subject,
    'the log of ' || count(*) || ' run(s) gives the platform as ' || logged_platform || ', the path as ' || any_value(system)
        as message,
    min(path) as path, arg_min(logged_platform_line, path) as line, logged_platform as value,
    any_value(system) as limit_value
from run_header
where is_counted and kind = 'logged' and regexp_matches(lower(logged_platform), 'placeholder|change_?me|your_?(system|platform)|^<.*>$')
group by result_set, logged_platform
