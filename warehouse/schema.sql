-- The stored tables: facts only. Everything that can be derived is a view in views/.
-- Unknown is NULL, never 0. Text of a log is data here, never SQL.

create table if not exists levelbook (schema_version integer primary key);

create table if not exists source (
    source_id integer primary key,
    path varchar not null,            -- as a person typed it; archive!member inside an archive
    archive varchar,
    member varchar,
    sha256 varchar not null,
    place varchar not null,           -- organization/system/benchmark/run that the path names
    bytes bigint not null check (bytes >= 0),
    format varchar,                   -- NULL: no format claims the file
    parser_version integer,
    status varchar not null check (status in
        ('complete', 'truncated', 'aborted', 'unreadable', 'unrecognised', 'duplicate')),
    lines bigint,
    records bigint not null check (records >= 0),
    problems bigint not null check (problems >= 0),
    collection varchar not null       -- name of the source.toml that governs it, '' for none
);

create table if not exists source_text (
    source_id integer primary key,
    text blob not null                -- zstandard
);

create table if not exists problem (
    source_id integer,                -- NULL: a path or archive member that was never read
    path varchar not null,
    line bigint check (line >= 1),
    severity varchar not null check (severity in ('error', 'warning', 'info')),
    reason varchar not null,
    remedy varchar not null,
    excerpt varchar not null
);

create table if not exists collection (
    collection varchar primary key,
    title varchar not null,
    kind varchar not null check (kind in ('logged', 'reconstructed')),
    verification varchar not null check (verification in ('official', 'unverified')),
    licence varchar,
    url varchar,
    retrieved varchar,
    result_ids varchar,
    storage varchar,                  -- the storage system, in words
    storage_nodes integer check (storage_nodes >= 1),
    link_gbit_s double check (link_gbit_s > 0),              -- network of one client, 10^9 bit/s
    client_memory_gib double check (client_memory_gib > 0),
    client_cores integer check (client_cores >= 1),
    note varchar
);

create table if not exists system (
    source_id integer primary key references source (source_id),
    collection varchar not null,
    round varchar,
    organization varchar,
    system varchar not null,
    nodes integer check (nodes >= 1),
    accelerators_per_node integer check (accelerators_per_node >= 0),
    fields json not null              -- the description as logged, keys normalised
);

create table if not exists scaling_factor (
    source_id integer primary key references source (source_id),
    collection varchar not null,
    round varchar,
    organization varchar,
    system varchar,
    benchmark varchar,
    factor double not null check (factor > 0)
);

create table if not exists run (
    run_id bigint primary key,        -- source_id * 1000000000 + attempt
    source_id integer not null references source (source_id),
    attempt integer not null check (attempt >= 1),
    kind varchar not null,            -- RUN_KIND of the format: mlperf_training, fio, fio_log
    collection varchar not null,
    round varchar,
    organization varchar,
    system varchar,
    benchmark varchar,
    division varchar,
    run_number integer,
    first_line bigint not null,
    last_line bigint not null,
    status varchar not null check (status in
        ('success', 'failed', 'aborted', 'stopped', 'unknown', 'unfinished')),
    is_last_attempt boolean not null,
    is_official_name boolean,         -- NULL outside the MLCommons layout
    clients_planned integer check (clients_planned >= 1)  -- as a person says; NULL: not said
);

create table if not exists event (
    run_id bigint not null,
    line bigint not null,
    key varchar not null,
    value varchar,                    -- JSON
    number double,
    time_ms double,                   -- in the domain that clock names
    clock varchar not null check (clock in ('epoch', 'suspect', 'placeholder', 'missing')),
    event_type varchar,
    rank integer,
    metadata varchar                  -- JSON
);

-- fio: what the records of ingest/fio/records.py say, column by column. A document is (run_id, snapshot),
-- an entry of it (run_id, snapshot, entry).

create table if not exists fio_output (
    run_id bigint not null,
    line bigint not null,
    snapshot integer not null check (snapshot >= 1),
    last_line bigint not null,
    form varchar not null check (form in ('json', 'terse', 'normal')),
    version varchar,
    time_s double,                    -- end of a local run, start of a client/server one
    is_client_server boolean,
    is_rounded boolean not null,
    is_complete boolean not null,
    is_last boolean not null,
    clients_named integer,            -- clients that the text itself shows
    primary key (run_id, snapshot)
);

create table if not exists fio_entry (
    run_id bigint not null,
    line bigint not null,
    snapshot integer not null,
    entry integer not null check (entry >= 1),
    name varchar not null,
    group_id bigint,
    hostname varchar,
    port bigint,
    is_total boolean not null,        -- "All clients": only a check
    members bigint,
    error bigint,
    total_errors bigint,
    first_error bigint,
    elapsed_s double,
    job_start_ms double,
    job_runtime_ms double,
    usr_cpu_pct double,
    sys_cpu_pct double,
    is_steady boolean,
    options json,                     -- effective options; NULL: not printed
    depth_shares json,                   -- share of I/Os by depth level
    description varchar,
    primary key (run_id, snapshot, entry)
);

create table if not exists fio_transfer (
    run_id bigint not null,
    line bigint not null,
    snapshot integer not null,
    entry integer not null,
    direction varchar not null check (direction in ('read', 'write', 'trim', 'mixed', 'sync')),
    bytes_moved double check (bytes_moved >= 0),
    runtime_ms double check (runtime_ms >= 0),
    ios double check (ios >= 0),
    bandwidth_bps double,             -- as printed, a check
    iops double,                      -- as printed, a check
    short_ios double,
    dropped_ios double
);

create table if not exists fio_lat_summary (
    run_id bigint not null,
    line bigint not null,
    snapshot integer not null,
    entry integer not null,
    direction varchar not null check (direction in ('read', 'write', 'trim', 'mixed', 'sync')),
    kind varchar not null check (kind in ('slat', 'clat', 'lat')),
    min_ns double,
    max_ns double,
    mean_ns double,
    stddev_ns double,
    samples double
);

create table if not exists fio_lat_percentile (
    run_id bigint not null,
    line bigint not null,
    snapshot integer not null,
    entry integer not null,
    direction varchar not null,
    kind varchar not null,
    percentile double not null check (percentile > 0 and percentile <= 100),
    value_ns double not null
);

create table if not exists fio_lat_bin (
    run_id bigint not null,
    line bigint not null,
    snapshot integer not null,
    entry integer not null,
    direction varchar not null,
    kind varchar not null,
    value_ns double not null,
    ios double not null
);

create table if not exists fio_disk (
    run_id bigint not null,
    line bigint not null,
    snapshot integer not null,
    hostname varchar,
    port bigint,
    name varchar not null,
    read_ios double,
    write_ios double,
    read_bytes double,                -- from fio 3.36 on
    written_bytes double,
    util_pct double
);

create table if not exists fio_note (
    run_id bigint not null,
    line bigint not null,
    kind varchar not null check (kind in
        ('error', 'killed', 'interrupted', 'disconnected', 'verify', 'refused', 'note')),
    host varchar,
    text varchar not null
);

create table if not exists fio_log (
    run_id bigint primary key,
    line bigint not null,
    measure varchar not null check (measure in ('bw', 'iops', 'slat', 'clat', 'lat', 'clat_hist')),
    log_name varchar not null,
    job bigint,
    host varchar,
    columns integer not null,
    layout varchar not null,
    bins integer,
    is_compressed boolean not null
);

create table if not exists fio_log_sample (
    run_id bigint not null,
    line bigint not null,
    time_ms double not null,
    value double not null,            -- KiB/s, I/O per s, us (fio 2.x) or ns
    value_max double,
    direction varchar not null,
    block_bytes double,
    offset_bytes double,
    priority bigint,
    issue_ns double,
    undecided double                  -- offset or priority: the file does not say which
);

create table if not exists fio_log_bin (
    run_id bigint not null,
    line bigint not null,
    time_ms double not null,
    direction varchar not null,
    block_bytes double,
    value_ns double not null,
    ios double not null
);

-- nccl-tests: what the records of ingest/nccl/records.py say, column by column.

create table if not exists nccl_output (
    run_id bigint primary key,
    line bigint not null,
    last_line bigint not null,
    form varchar not null check (form in ('text', 'json', 'rccl_json', 'rccl_csv')),
    collective varchar,
    is_rccl boolean not null,
    era varchar check (era in ('A', 'B', 'C', 'D')),
    tests_version varchar,
    nccl_version varchar,
    driver_version varchar,
    ranks_listed bigint,
    nodes_listed bigint,
    copies bigint not null,           -- processes that ran side by side without MPI
    settings json,
    environment json,                 -- only variables that concern the communication
    network varchar,
    is_nvls boolean,
    is_sharp boolean,
    is_cpu_time boolean not null,     -- -C: time is CPU time
    out_of_bounds bigint,
    average_busbw_gbps double,        -- as printed, a check
    average_said varchar,             -- OK or FAILED behind it
    has_footer boolean not null,
    rows_lost bigint not null
);

create table if not exists nccl_row (
    run_id bigint not null,
    line bigint not null,
    ordinal bigint not null,
    cycle bigint not null,
    placement varchar not null check (placement in ('out_of_place', 'in_place')),
    size_bytes bigint not null check (size_bytes >= 0),
    count bigint,
    type varchar,
    redop varchar,
    root bigint,
    time_us double,
    algbw_gbps double,
    busbw_gbps double,
    wrong double,                     -- wrong elements
    delta double,                     -- largest difference, before 2.13
    is_unchecked boolean not null,
    iter_min_us double,
    iter_max_us double,
    iter_p99_us double,
    iter_cv_pct double,
    time_digits varchar,              -- the printed text: how far a number was rounded
    algbw_digits varchar,
    busbw_digits varchar
);

create table if not exists nccl_device (
    run_id bigint not null,
    line bigint not null,
    rank bigint not null,
    "group" bigint,
    host varchar,
    device bigint,
    bus_id varchar,
    name varchar
);

create table if not exists nccl_note (
    run_id bigint not null,
    line bigint not null,
    kind varchar not null,
    text varchar not null
);

-- What people say: filled from data/*.toml each time a database is written.

create table if not exists waiver (
    rule varchar not null, subject varchar not null, reason varchar not null,
    author varchar not null, since date not null, until date not null,
    line bigint not null
);

create table if not exists correction (
    correction varchar primary key, round varchar, division varchar, organization varchar,
    system varchar, benchmark varchar, collection varchar, superseded_by varchar,
    quantity varchar not null, expect double not null, tolerance double not null,
    printed double, reason varchar not null, author varchar not null, since date not null,
    until date not null, line bigint not null
);

create table if not exists published (
    report varchar not null, figure varchar, organization varchar, round varchar,
    division varchar, system varchar, benchmark varchar, nodes integer,
    quantity varchar not null, value double not null, unit varchar not null,
    where_printed varchar not null, legibility varchar not null, has_log boolean not null,
    url varchar, note varchar, line bigint not null
);

create table if not exists family_override (
    organization varchar not null, system varchar not null, family varchar not null
);

create table if not exists threshold (
    threshold varchar primary key, value double not null, unit varchar not null,
    basis varchar not null, line bigint not null
);

create table if not exists workload (
    workload varchar not null, accelerator varchar not null,
    samples_per_s double not null check (samples_per_s > 0),
    bytes_per_sample double not null check (bytes_per_sample > 0),
    accelerators_per_client integer not null check (accelerators_per_client >= 1),
    access varchar not null, source varchar not null, url varchar, note varchar,
    line bigint not null, primary key (workload, accelerator)
);

create table if not exists link_peak (
    platform varchar not null, device_pattern varchar not null,
    system_pattern varchar,           -- part of the system's name; null: of no matter
    scope varchar not null check (scope in ('node', 'network')),
    peak_gbps double not null check (peak_gbps > 0), note varchar, source varchar not null,
    url varchar, line bigint not null
);

create table if not exists reference_busbw (
    system varchar not null, device_pattern varchar not null, collective varchar not null,
    ranks integer, nodes integer, size_bytes bigint, busbw_gbps double not null,
    basis varchar not null check (basis in ('measured', 'threshold')), note varchar,
    source varchar not null, url varchar, line bigint not null
);

-- The official rules: what the package mlperf-logging (or a folder of the same layout) says, and what its
-- compliance rules find in each log. Filled by warehouse/official/, kept while rules and logs are the same.

create table if not exists rule_set (
    rule_set varchar primary key,     -- such as "training 1.1.0"
    usage varchar not null check (usage in ('training', 'hpc')),
    version varchar not null,         -- such as 1.1.0
    round varchar not null,           -- such as v1.1
    rules varchar not null,           -- where it was read: "mlperf-logging", or the folder that was named
    rules_version varchar not null    -- of the package there
);

create table if not exists official_benchmark (
    usage varchar not null, benchmark varchar not null,
    runs_required integer,            -- result files of a result set
    rcp_runs integer,                 -- runs that the convergence test counts with; NULL: it has none
    interpolation_factor double,      -- standard deviations under the mean that an interpolated point allows
    primary key (usage, benchmark)
);

create table if not exists run_rule_set (
    run_id bigint primary key,
    usage varchar,
    rule_set varchar,                 -- NULL: none is known
    reason varchar                    -- why there is none
);

create table if not exists compliance_judged (
    run_id bigint primary key,
    rule_set varchar not null, rules varchar not null, rules_version varchar not null,
    verdict varchar not null check (verdict in ('pass', 'fail', 'invalid input')),
    configs varchar not null          -- rule files applied, in order
);

create table if not exists compliance_message (
    run_id bigint not null,
    ordinal integer not null,         -- in the order in which they were found
    severity varchar not null check (severity in ('error', 'warning')),
    kind varchar not null,            -- check, code, at_least_one, required, end, parse, file, input
    key varchar,
    line bigint,                      -- first line that fails; NULL: the file as a whole
    occurrences integer not null,     -- lines that fail alike
    reason varchar not null,          -- one sentence
    value varchar,                    -- what was found
    limit_value varchar,              -- what the rule asks for
    config varchar not null,          -- rule file it comes from
    primary key (run_id, ordinal)
);

create table if not exists rcp_record (
    rule_set varchar not null, rules varchar not null, rules_version varchar not null,
    benchmark varchar not null, record varchar not null,
    batch_size double not null,
    runs integer not null,            -- of the reference
    unit varchar not null,            -- as the record's file names it: epochs or samples
    converged varchar not null,       -- JSON list: epochs or samples to converge of each run
    hyperparameters varchar not null, -- JSON object, information only
    mean double not null,             -- olympic
    stdev double not null,
    min_mean double not null,         -- least mean of a submission that passes
    is_pruned boolean not null,       -- left out of the test, because others say that it converges too slowly
    path varchar not null             -- file of the record inside the package
);

create table if not exists rule_set_benchmark (
    rule_set varchar not null, benchmark varchar not null,
    place integer not null,           -- in the official order
    primary key (rule_set, benchmark)
);

create table if not exists official_system (
    source_id integer primary key,    -- of the description
    fault varchar,                    -- why it is no JSON object; NULL: it is one
    missing varchar,                  -- required keys that it lacks, with commas; NULL: none
    status varchar,                   -- as written
    statuses varchar                  -- what may be written there, with semicolons
);

-- What a submission says of itself: flags for the official package checker, and the scores that it claims.

create table if not exists checker_flag (
    source_id integer not null, line bigint not null,
    collection varchar not null, round varchar, organization varchar, system varchar,
    benchmark varchar,                -- NULL: every benchmark of the system
    flag varchar not null check (flag in ('rcp-bypass', 'seed-checker-bypass'))
);

create table if not exists claimed_score (
    source_id integer not null, line bigint not null,
    collection varchar not null, round varchar,
    organization varchar,             -- submitter of the row
    division varchar,
    system varchar not null,          -- as the row names it
    description varchar,              -- name of the description that its details_url points at
    benchmark varchar not null,
    score_min double not null         -- minutes
);
