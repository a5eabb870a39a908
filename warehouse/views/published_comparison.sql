-- What a report prints beside what the logs give.
-- report | - | name of the report
-- figure | - | figure of the report
-- organization | - | submitter
-- round | - | such as v1.1
-- division | - | closed or open
-- system | - | system under test
-- benchmark | - | folder name of the benchmark
-- nodes | nodes | of the system
-- quantity | - | what is printed
-- printed_value | of the quantity | as printed
-- unit | - | unit of the printed value
-- rebuilt_value | of the quantity | olympic mean over the logs; NULL: no log supports it
-- difference | of the quantity | rebuilt minus printed
-- difference_pct | % | of the printed value
-- rebuilt_mean | of the quantity | plain mean over the logs, the other scoring
-- rebuilt_from | - | result set that it was rebuilt from
-- status | - | rebuilt, no log, not loaded
-- where_printed | - | place in the report
-- legibility | - | how well the number could be read
-- url | - | address of the report
-- note | - | what a reader has to know
select p.report, p.figure, p.organization, p.round, p.division, p.system, p.benchmark, p.nodes,
    p.quantity, p.value as printed_value, p.unit, s.score_min as rebuilt_value,
    s.score_min - p.value as difference, 100 * (s.score_min - p.value) / p.value as difference_pct,
    s.mean_min as rebuilt_mean, s.result_set as rebuilt_from,
    case when not p.has_log then 'no log' when s.score_min is null then 'not loaded' else 'rebuilt' end
        as status,
    p.where_printed, p.legibility, p.url, p.note
from published p
left join score s on p.has_log and p.quantity = 'time_to_train' and p.unit = 'min'
    and s.round = p.round and s.division = p.division and s.organization = p.organization
    and s.system = p.system and s.benchmark = p.benchmark
    and not exists (select 1 from correction c where c.superseded_by = s.collection)
