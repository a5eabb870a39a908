-- title: I/O depths that were not reached
-- severity: warning
-- applies to: fio runs
-- basis: W8 of the fio fair-run rules: 90 % of the I/Os at the depth that was asked for; a synchronous engine never has more than one (the note of fio 3.33 and later); threshold fio_depth_share_pct
-- why: A point at depth 32 that ran at depth 1 stands at the wrong place of the curve.
-- remedy: Use an asynchronous engine (libaio, io_uring) with direct=1; look at iodepth_batch and at the processor of the client.
-- false positives: fio counts depth in steps of a power of two. Jobs held back by a rate, pauses or a latency target are left out.
with tested as (
    select j.*, case when fio_is_synchronous(j.ioengine) then 0
        else json_extract(j.depth_shares, '$."' || case when j.iodepth >= 64 then '>=64' else try_cast(pow(2, floor(log2(j.iodepth))) as integer)::varchar end || '"')::double end as share_pct
    from fio_job j
    where j.iodepth > 1 and not fio_is_held_back(j.options) and exists (
        select 1 from fio_result r
        where r.run_id = j.run_id and r.group_id is not distinct from j.group_id and r.status = 'complete')
)
select path as subject,
    case when count(*) > 1 then count(*) || ' jobs, the first of them ' else 'job ' end || arg_min(name, line) || ' on ' || arg_min(client, line)
        || ': ' || case when fio_is_synchronous(arg_min(ioengine, line)) then 'engine ' || arg_min(ioengine, line)
            || ' has one I/O at a time' else round(arg_min(share_pct, line), 1) || ' % of the I/Os were at the depth' end
        || ', iodepth=' || arg_min(iodepth, line) || ' was asked for' as message,
    path, min(line) as line, round(arg_min(share_pct, line), 1)::varchar || ' %' as value, limit_said('fio_depth_share_pct') as limit_value
from tested
where share_pct < limit_of('fio_depth_share_pct')
group by run_id, path
