-- title: A system without results
-- severity: graded
-- applies to: files
-- basis: mlcommons/policies submission_rules: results/<system>/<benchmark>/result_<n>.txt for every systems/<system>.json; the official package checker crashes on a result folder without logs
-- why: Results that were forgotten, misnamed or left out of an archive are missed by nobody else.
-- remedy: Add the result_<n>.txt files, or remove the folder and the description.
-- false positives: A description that is loaded alone. In published rounds, systems that only took part in another benchmark suite, or whose results were withdrawn.
with folders as (
    select any_value(path order by path) as path, regexp_extract(path, '^(.*)[/!][^/!]+$', 1) as folder,
        regexp_extract(path, '[/!]results[/!]([^/!]+[/!][^/!]+)[/!][^/!]+$', 1) as name
    from source
    where regexp_matches(path, '[/!]results[/!][^/!]+[/!][^/!]+[/!][^/!]+$')
    group by all
), found as (
    select 'error' as severity, f.path, f.folder as subject,
        'results/' || f.name || ' holds files, but no result_<n>.txt' as message
    from folders f
    where not exists (select 1 from run_header h where starts_with(h.path, f.folder || '/'))
    union all
    select 'warning', d.path, d.path, 'systems/' || d.system || '.json describes a system without any result'
    from system_scale d
    where not exists (
        select 1 from run_header h
        where h.system = d.system and h.collection = d.collection and h.round is not distinct from d.round
            and h.organization is not distinct from d.organization)
)
select severity, subject, message, path, null::bigint as line, '0' as value, '1' as limit_value
from found
