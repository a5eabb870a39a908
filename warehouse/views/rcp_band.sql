-- The reference of the convergence test as a curve over the batch size: what pruned points leave, and between
-- two of them what the test interpolates.
-- rule_set | - | official rule set, such as training 1.1.0
-- benchmark | - | as the log names it
-- batch_size | samples | global batch size
-- mean | of unit | mean of the reference
-- min_mean | of unit | least mean of a submission that passes
-- is_interpolated | - | between two reference points
-- unit | - | epochs, samples, steps or tokens
with kept as (
    select p.*, o.interpolation_factor,
        lead(p.batch_size) over along as next_size, lead(p.mean) over along as next_mean,
        lead(p.stdev) over along as next_stdev
    from rcp_point p
    join rule_set r on r.rule_set = p.rule_set
    left join official_benchmark o on o.usage = r.usage and o.benchmark = p.benchmark
    where not p.is_pruned
    window along as (partition by p.rule_set, p.benchmark order by p.batch_size)
), between_points as (
    select *, batch_size * pow(next_size / batch_size, step / 5.0) as size,
        (size - batch_size) / (next_size - batch_size) as share,
        mean + share * (next_mean - mean) as size_mean, stdev + share * (next_stdev - stdev) as size_stdev
    from kept
    cross join (select unnest([1, 2, 3, 4]) as step)
    where next_size is not null
)
select rule_set, benchmark, batch_size, mean, min_mean, false as is_interpolated, unit
from kept
union all
select rule_set, benchmark, size, size_mean, rcp_least_mean(size_mean, size_stdev, interpolation_factor), true, unit
from between_points
