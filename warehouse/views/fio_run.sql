-- Every fio run: the last document of each, and what the output says about itself.
-- stored
-- run_id | - | run
-- path | - | file
-- line | - | first line of the document that is the result
-- collection | - | source.toml that governs the file, '' for none
-- organization | - | from a source.toml or the command line
-- system | - | storage system, from a source.toml or the command line; unassigned where nobody says it
-- form | - | json, terse or normal
-- version | - | as logged
-- release | - | 1000 times the major number plus the minor one: 3042 for fio-3.42; NULL: unknown
-- time_s | s | seconds since 1970 as logged: end of a local run, start of a client/server one
-- is_client_server | - | written by fio --client
-- is_rounded | - | numbers have the few digits of normal text
-- is_complete | - | the document does not break off
-- snapshot | - | number of the document that is the result
-- snapshots | - | documents of the run; more than one with --status-interval
-- status | - | success, failed, aborted or unfinished
-- clients_planned | clients | as a person says; NULL: not said
-- clients_named | clients | as the text of the output shows; NULL: it does not
-- is_counted | - | not loaded again later under the same name with other contents
-- kind | - | logged or reconstructed
-- verification | - | official or unverified
with last as (
    select *, count(*) over (partition by run_id) as snapshots from fio_output
    qualify row_number() over (partition by run_id order by is_last desc, snapshot desc) = 1
)
select r.run_id, s.path, o.line, r.collection, r.organization,
    coalesce(r.system, 'unassigned') as system, o.form, o.version,
    try_cast(regexp_extract(o.version, '^fio-(\d{1,3})\.\d{1,3}', 1) as integer) * 1000
        + try_cast(regexp_extract(o.version, '^fio-\d{1,3}\.(\d{1,3})', 1) as integer) as release,
    o.time_s, coalesce(o.is_client_server, false) as is_client_server, o.is_rounded, o.is_complete,
    o.snapshot, o.snapshots, r.status, r.clients_planned, o.clients_named,
    dense_rank() over (partition by r.collection, s.path order by r.source_id desc) = 1 as is_counted,
    c.kind, c.verification
from run r
join source s using (source_id)
join collection c on c.collection = r.collection
join last o on o.run_id = r.run_id
where r.kind = 'fio'
