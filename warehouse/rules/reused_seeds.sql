-- title: Seeds used again on another system
-- severity: warning
-- applies to: result sets
-- basis: X7 of the cross-run rules; training_policies training_rules, Random numbers: seeds come from the clock or the system's source of randomness
-- why: The same random numbers on two systems are not two samples of convergence.
-- remedy: Draw the seed of each run from the clock or the system's entropy source.
-- false positives: A list of consecutive seeds that all systems share is evidently fixed beforehand, so nobody chose among them, and is left out. Short random numbers meet by chance now and then. Copied runs are reported as such.
with seeds as (
    select distinct r.result_set, r.round, r.collection, r.organization, r.system, r.benchmark, e.value
    from event e
    join run_result r using (run_id)
    where e.key = 'seed' and e.value is not null and r.is_counted and r.kind = 'logged'
        and r.organization is not null and r.run_id not in (select run_id from copied_run)
), shared as (
    select *, count(distinct system) over (partition by collection, round, organization, benchmark, value) as systems
    from seeds
), reused as (
    select collection, round, organization, benchmark, count(distinct value) as seeds, min(result_set) as result_set,
        count(distinct result_set) as uses, string_agg(distinct value, ', ' order by value) as listed,
        max(try_cast(value as bigint)) - min(try_cast(value as bigint)) + 1 as width
    from shared
    where systems > 1
    group by collection, round, organization, benchmark
), first_line as (
    select r.result_set, min(r.path) as path, arg_min(e.line, (r.path, e.line)) as line
    from event e
    join run_result r using (run_id)
    join reused u on u.result_set = r.result_set
    join shared s on s.result_set = r.result_set and s.value = e.value and s.systems > 1
    where e.key = 'seed' and r.is_counted
    group by r.result_set
)
select u.result_set as subject,
    seeds || ' seed(s) of ' || benchmark || ' are found on more than one system, in ' || uses || ' result sets: '
        || left(listed, 100) as message,
    f.path, f.line, left(listed, 100) as value, null::varchar as limit_value
from reused u
join first_line f on f.result_set = u.result_set
where not coalesce(seeds > 1 and width = seeds, false)
