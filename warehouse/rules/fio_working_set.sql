-- title: Working sets that fit into memory
-- severity: warning
-- applies to: fio runs
-- basis: W2 of the fio fair-run rules: without direct the files of a client are at least twice its memory (MLPerf Storage asks for five times that of all clients); threshold fio_working_set_factor, memory from client_memory_gib of source.toml
-- why: Files that fit into memory are read from the storage once, and from memory after that.
-- remedy: Use larger files, fewer clients with more memory in use, or direct=1.
-- false positives: Files that every job reads once, after the cache was emptied.
select w.path as subject,
    'client ' || arg_min(w.client, w.working_set_bytes) || ' works on ' || round(min(w.working_set_bytes) / 1073741824, 2)
        || ' GiB and has ' || any_value(c.client_memory_gib) || ' GiB of memory, without direct' as message,
    w.path, arg_min(w.line, w.working_set_bytes) as line, round(min(w.working_set_bytes) / 1073741824, 2)::varchar || ' GiB' as value,
    any_value(c.client_memory_gib * limit_of('fio_working_set_factor'))::varchar || ' GiB' as limit_value
from fio_working_set w
join fio_result r on r.run_id = w.run_id and r.group_id is not distinct from w.group_id
join collection c on c.collection = r.collection
where r.status = 'complete' and not w.is_direct
    and w.working_set_bytes < c.client_memory_gib * 1073741824 * limit_of('fio_working_set_factor')
group by w.run_id, w.path
