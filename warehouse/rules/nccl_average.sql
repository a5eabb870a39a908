-- title: The printed average is the mean of the rows
-- severity: error
-- applies to: nccl-tests runs
-- basis: self-check of nccl-tests outputs: `Avg bus bandwidth` is the plain mean of all bus bandwidths, both placements
-- why: Another mean says that rows are missing, were added, or were changed.
-- remedy: Load the complete output.
-- false positives: None where no row is lost or left out.
select r.system || '/' || coalesce(r.collective, 'no collective') as subject,
    'the printed average is ' || r.average_busbw_gbps || ' GB/s, the mean of the ' || m.n || ' bus bandwidths is '
        || printf('%.4f', m.mean) as message, r.path, r.line, printf('%.4f', m.mean) as value,
    r.average_busbw_gbps::varchar as limit_value
from nccl_run r
join (select run_id, avg(coalesce(busbw_gbps, 0)) as mean, count(*) as n,
        avg(coalesce(printed_half(busbw_digits, busbw_gbps), 0)) as half from nccl_row group by run_id) m using (run_id)
where r.is_counted and r.has_footer and r.rows_lost = 0 and r.copies = 1 and r.form in ('text', 'json')
    and abs(m.mean - r.average_busbw_gbps) > m.half + abs(r.average_busbw_gbps) / 100000
    and not exists (select 1 from nccl_note n where n.run_id = r.run_id and n.kind = 'elided')
