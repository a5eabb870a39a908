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
    kind varchar not null check (kind in ('mlperf_training')),
    collection varchar not null,
    round varchar,
    organization varchar,
    system varchar,
    benchmark varchar,
    division varchar,
    run_number integer,
    first_line bigint not null,
    last_line bigint not null,
    status varchar not null check (status in ('success', 'aborted', 'stopped', 'unknown', 'unfinished')),
    is_last_attempt boolean not null,
    is_official_name boolean          -- NULL outside the MLCommons layout
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
    line bigint not null
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
