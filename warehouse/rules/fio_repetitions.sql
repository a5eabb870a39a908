-- title: Test points without repetitions
-- severity: warning
-- applies to: fio runs
-- basis: W17 of the fio fair-run rules: at least three runs of each test point; threshold fio_repetitions
-- why: One run shows nothing of the spread, and two do not say which of them is the odd one.
-- remedy: Run each point three times or more and load all of them.
-- false positives: Long runs of which each was found to be steady.
with counted as (
    select *, count(*) over (partition by collection, system, series) as points from fio_point
)
select fio_subject(system, series, collection, min(path)) as subject,
    count(*) || ' of ' || any_value(points) || case any_value(points) when 1 then ' test point has ' else ' test points have ' end
        || fio_range(min(repetitions), max(repetitions)) || case when max(repetitions) = 1 then ' run' else ' runs' end as message,
    min(path) as path, arg_min(line, (path, line)) as line, min(repetitions)::varchar as value, limit_said('fio_repetitions') as limit_value
from counted
where repetitions < limit_of('fio_repetitions')
group by collection, system, series
