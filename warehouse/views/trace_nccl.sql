-- From a system's test of a collective to the rows with the peak of each run. Relations called trace_* are
-- what the command `trace` reads.
-- subject | - | system/collective, with @collection where there is one
-- place | - | order within the subject
-- detail | - | the run and its peak, in words
-- path | - | file
-- lines | - | lines of the peak, or the first line of the run
-- run_id | - | run
select system || '/' || coalesce(collective, 'no collective') || coalesce('@' || nullif(collection, ''), '') as subject,
    row_number() over (partition by collection, system, collective order by nodes, ranks, path, run_id) as place,
    coalesce(ranks || ' ranks', 'ranks not known') || ' on ' || coalesce(nodes || case nodes when 1 then ' node' else ' nodes' end, 'nodes not known') || ': '
        || coalesce(printf('%.2f GB/s', peak_busbw_gbps) || ' bus bandwidth at ' || peak_size_bytes || ' B', 'no rows') || ', ' || status as detail,
    path, [coalesce(peak_line, line)] as lines, run_id
from nccl_run
