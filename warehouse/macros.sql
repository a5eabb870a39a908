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
    case when rate >= 1e9 then printf('%.2f GB/s', rate / 1e9) when rate >= 1e7 then printf('%.0f MB/s', rate / 1e6)
        else printf('%.2f MB/s', rate / 1e6) end
);

create or replace macro fio_limit(wanted) as (
    (select value from threshold where threshold = wanted)
);

create or replace macro fio_limit_said(wanted) as (
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
