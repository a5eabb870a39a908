-- The runs of each result set in the order of the score, and which of them count.
-- Rule: drop the fastest and the slowest (unet3d: four of each); a run that did not converge is the
-- slowest (mlcommons/training_policies training_rules, section on results; logging result_summarizer).
-- result_set | - | result set
-- run_id | - | run
-- place | - | 1 for the fastest; runs that did not converge come last
-- is_kept | - | counts in the olympic mean
-- drop_reason | - | fastest, slowest, did not converge; NULL when kept
-- time_to_train_min | min | run_stop minus run_start
-- is_converged | - | reached the target
with ordered as (
    select r.result_set, r.run_id, r.time_to_train_min, r.is_converged,
        coalesce(b.drops, 1) as drops,
        row_number() over (partition by r.result_set
            order by not r.is_converged, r.time_to_train_min, r.run_number, r.run_id) as place,
        count(*) over (partition by r.result_set) as runs
    from run_result r
    join run_benchmark b using (run_id)
    where r.is_counted
)
select result_set, run_id, place,
    is_converged and place > drops and place <= runs - drops as is_kept,
    case when not is_converged then 'did not converge'
        when place <= drops then 'fastest'
        when place > runs - drops then 'slowest' end as drop_reason,
    time_to_train_min, is_converged
from ordered
