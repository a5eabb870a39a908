-- The rules of its benchmark that apply to each run, by round.
-- run_id | - | run
-- benchmark_title | - | name for people
-- runs_required | runs | runs in a result set; NULL: the benchmark is not known
-- drops | runs | fastest and as many slowest runs left out
-- samples_per_epoch | samples | size of the training data set, else the logged train_samples
-- sample | - | what one sample is
-- progress | - | where progress stands in the log
with logged as (
    select run_id, arg_max(number, line) as train_samples
    from event
    where key in ('train_samples', 'preproc_num_train_examples')
    group by run_id
)
select h.run_id, coalesce(b.title, h.benchmark) as benchmark_title, b.runs_required, b.drops,
    case when b.progress like 'epochs%' then coalesce(b.samples_per_epoch, l.train_samples)
        when b.progress = 'samples' and b.samples_per_epoch is not null then b.samples_per_epoch
    end as samples_per_epoch,
    b.sample, coalesce(b.progress, 'none') as progress
from run_header h
left join benchmark b on b.benchmark = h.benchmark
    and coalesce(h.round_number, b.last_round) between b.first_round and b.last_round
left join logged l using (run_id)
