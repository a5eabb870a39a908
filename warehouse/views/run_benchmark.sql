-- The rules of its benchmark that apply to each run, by round. Where the round is not known, those of
-- the newest apply, and what changed between rounds is left open: size of the data set, progress.
-- run_id | - | run
-- benchmark_title | - | name for people
-- runs_required | runs | runs in a result set; NULL: the benchmark is not known
-- drops | runs | fastest and as many slowest runs left out
-- samples_per_epoch | samples | size of the training data set, else the logged train_samples
-- sample | - | what one sample is
-- progress | - | where progress stands in the log
-- quality | - | what an evaluation measures
-- is_lower_better | - | a smaller value is a better one
with logged as (
    select run_id, arg_max(number, line) as train_samples
    from event
    where key in ('train_samples', 'preproc_num_train_examples')
    group by run_id
), known as (
    select *, count(*) over (partition by benchmark) > 1 as is_by_round,
        max(last_round) over (partition by benchmark) as newest
    from benchmark
)
select h.run_id,
    case when h.round_number is null and is_by_round then h.benchmark
        else coalesce(b.title, h.benchmark) end as benchmark_title,
    b.runs_required, b.drops,
    case when h.round_number is null and is_by_round then null
        when b.progress like 'epochs%' then coalesce(b.samples_per_epoch, l.train_samples)
        when b.progress = 'samples' and b.samples_per_epoch is not null then b.samples_per_epoch
    end as samples_per_epoch,
    b.sample,
    case when h.round_number is null and is_by_round then 'none'
        else coalesce(b.progress, 'none') end as progress,
    b.quality, b.is_lower_better
from run_header h
left join known b on b.benchmark = h.benchmark
    and coalesce(h.round_number, b.newest) between b.first_round and b.last_round
left join logged l using (run_id)
