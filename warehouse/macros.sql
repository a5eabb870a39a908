-- What several views and rules say in the same words. Made anew each time a database is written.

-- fio writes sizes with a unit: k is 1024 and ki is 1000 by default, the other way round with
-- kb_base=1000 (fio HOWTO, section on parameter types).

create or replace macro fio_size(text, kb_base) as (
    try_cast(regexp_extract(lower(trim(text)), '^[0-9]+(\.[0-9]+)?') as double)
    * case regexp_extract(lower(trim(text)), '^[0-9.]+ ?([a-z]*)$', 1)
        when '' then case when regexp_matches(lower(trim(text)), '^[0-9.]+$') then 1 end
        when 'b' then 1
        else pow(
            case when regexp_matches(lower(trim(text)), '^[0-9.]+ ?[kmgtp]ib?$') = (coalesce(kb_base, '1024') = '1000')
                then 1024 else 1000 end,
            strpos('kmgtp', nullif(regexp_extract(lower(trim(text)), '^[0-9.]+ ?([kmgtp])i?b?$', 1), '')))
    end
);

create or replace macro fio_seconds(text) as (
    try_cast(regexp_extract(lower(trim(text)), '^[0-9]+(\.[0-9]+)?') as double)
    * case regexp_extract(lower(trim(text)), '^[0-9.]+ ?([a-z]*)$', 1)
        when '' then case when regexp_matches(lower(trim(text)), '^[0-9.]+$') then 1 end
        when 's' then 1 when 'm' then 60 when 'h' then 3600 when 'd' then 86400
        when 'ms' then 0.001 when 'us' then 0.000001
    end
);

create or replace macro fio_range(least, most) as (
    case when least = most then least::varchar else least || ' to ' || most end
);

create or replace macro fio_mbps(rate) as (
    case when rate >= 1e9 then printf('%.2f GB/s', rate / 1e9) when rate >= 1e7 then printf('%.1f MB/s', rate / 1e6)
        else printf('%.2f MB/s', rate / 1e6) end
);

create or replace macro limit_of(wanted) as (
    (select value from threshold where threshold = wanted)
);

create or replace macro limit_said(wanted) as (
    (select regexp_replace(value::varchar, '\.0$', '') || case unit when '-' then '' else ' ' || unit end
        from threshold where threshold = wanted)
);

-- What a finding about fio is about: the series, or the file where its output prints no options.

create or replace macro fio_subject(system, series, collection, path) as (
    case when series is not null then system || '/' || series || coalesce('@' || nullif(collection, ''), '') else path end
);

-- Engines that have one I/O at a time, whatever iodepth says; jobs that do not go as fast as they can.

create or replace macro fio_is_synchronous(ioengine) as (
    ioengine in ('sync', 'psync', 'vsync', 'pvsync', 'pvsync2', 'mmap', 'null')
);

create or replace macro fio_is_held_back(options) as (
    coalesce(json_extract_string(options, '$.rate'), '0') <> '0'
    or coalesce(json_extract_string(options, '$.rate_iops'), '0') <> '0'
    or coalesce(json_extract_string(options, '$.thinktime'), '0') <> '0'
    or coalesce(json_extract_string(options, '$.latency_target'), '0') <> '0'
);

-- Half of the last digit that was printed, in the unit of the value: what rounding may have changed. JSON
-- numbers have more digits than matter; half a per mille is allowed for them.

create or replace macro printed_half(digits, value) as (
    case when try_cast(digits as double) is null then abs(value) / 2000
        else 0.5 * pow(10, coalesce(try_cast(regexp_extract(lower(digits), 'e([+-]?[0-9]+)$', 1) as integer), 0)
                - length(regexp_extract(digits, '\.([0-9]+)', 1)))
            * case when try_cast(digits as double) <> 0 then abs(value / try_cast(digits as double)) else 1 end
    end
);

-- Factor from algorithm to bus bandwidth, by collective and ranks (nccl-tests doc/PERFORMANCE.md, getBw of
-- each test); NULL: not known.

create or replace macro busbw_factor(collective, ranks) as (
    case when collective = 'all_reduce' then 2.0 * (ranks - 1) / ranks
        when collective in ('all_gather', 'reduce_scatter', 'alltoall', 'alltoallv', 'gather', 'scatter')
            then (ranks - 1.0) / ranks
        when collective in ('broadcast', 'reduce', 'sendrecv', 'hypercube') then 1.0
    end
);

-- Ranks that a ratio of bus to algorithm bandwidth implies; NULL where the ratio says nothing.

create or replace macro implied_ranks(collective, ratio) as (
    case when collective = 'all_reduce' and ratio < 2 then 2 / (2 - ratio)
        when collective in ('all_gather', 'reduce_scatter', 'alltoall', 'alltoallv', 'gather', 'scatter') and ratio < 1
            then 1 / (1 - ratio) end
);

-- Whether a pattern of data/platforms.toml stands in the name of a device as a word of its own: H200 is no
-- part of GH200. A card for a PCIe slot has other links and is told apart.

create or replace macro is_device(device_name, pattern) as (
    regexp_matches(device_name, '(^|[^A-Za-z0-9])' || regexp_escape(trim(pattern)))
    and (contains(upper(pattern), 'PCI') or not contains(upper(device_name), 'PCI'))
);

-- Reference convergence points: the benchmarks that count metadata.samples_count, the unit of a number, and
-- the least mean that passes (rcp_checker `read_submission_file`, `_find_min_acceptable_mean`). The official
-- search halves the interval from 0 to the mean until it is 0.0001 wide and takes the middle of the last.

create or replace macro rcp_counts_samples(benchmark) as (
    benchmark in ('llama2_70b_lora', 'flux1', 'llama31_405b', 'llama31_8b', 'gpt_oss_20b', 'deepseekv3_671b',
        'qwen35_397b_grpo', 'dlrmv4')
);

create or replace macro rcp_unit(benchmark, converged) as (
    case when benchmark = 'gpt3' then 'tokens'
        when rcp_counts_samples(benchmark) then 'samples'
        when benchmark = 'stable_diffusion' and converged < 100000 then 'steps'
        when converged > 10000 then 'samples'
        else 'epochs' end
);

create or replace macro rcp_least_mean(mean, stdev, factor) as (
    case when stdev = 0 then mean
        else (greatest(floor((mean - factor * stdev) / (mean / pow(2, greatest(ceil(log2(mean / 0.0001)), 0)))), 0)
                + 0.5) * (mean / pow(2, greatest(ceil(log2(mean / 0.0001)), 0))) end
);

-- A number of epochs, samples or tokens as people write it: at most four decimals, none where there are none.

create or replace macro rcp_said(number) as (
    case when number >= 10000 then printf('%.0f', number)
        else regexp_replace(printf('%.4f', number), '\.?0+$', '') end
);
