-- title: Bus bandwidth over the link
-- severity: info
-- applies to: nccl-tests runs
-- basis: data/platforms.toml: peak of one direction of the device's link; runs within one node
-- why: With NVLink SHARP the switch reduces, each device sends its data once, and the bus bandwidth, whose factor assumes a ring, may exceed the link.
-- remedy: Nothing to mend; say NVLS beside the figure. Without NVLS, look for a wrong number of ranks.
-- false positives: None known.
select r.system || '/' || coalesce(r.collective, 'no collective') as subject,
    'peak ' || printf('%.2f', r.peak_busbw_gbps) || ' GB/s is over the link of ' || l.platform || ', ' || l.peak_gbps || ' GB/s'
        || case when r.is_nvls then ': NVLS is in use' else ': NVLS is not shown in the output' end as message,
    r.path, r.peak_line as line, printf('%.2f', r.peak_busbw_gbps) as value, l.peak_gbps::varchar as limit_value
from nccl_run r
join link_peak l on l.scope = 'node' and is_device(r.device_name, l.device_pattern)
where r.is_counted and r.ranks > 1 and r.nodes = 1 and r.peak_busbw_gbps > l.peak_gbps
qualify row_number() over (partition by r.run_id order by l.peak_gbps desc) = 1
