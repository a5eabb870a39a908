-- The relation scaling as it may be printed: the derived numbers of a row that is not like for like, and
-- that no waiver covers, are NULL.
-- result_set | - | result set
-- collection | - | source.toml that governs its files, '' for none
-- round | - | such as v1.1
-- division | - | closed or open
-- organization | - | submitter
-- family | - | name for people
-- system | - | system under test
-- benchmark | - | folder name of the benchmark
-- benchmark_title | - | name for people
-- nodes | nodes | from the system description
-- accelerators | accelerators | from the system description
-- score_min | min | olympic mean, raw
-- base_set | - | result set of the base
-- base_system | - | system of the base
-- base_nodes | nodes | of the base
-- base_accelerators | accelerators | of the base
-- base_score_min | min | olympic mean of the base; plain mean where only that is known
-- growth | ratio | accelerators over those of the base; nodes where no accelerators are known
-- ideal_min | min | score if the family scaled perfectly from its base
-- speedup | ratio | base score over score
-- efficiency_pct | % | speed-up over growth in accelerators
-- throughput_efficiency_pct | % | training samples per second and accelerator against the base
-- convergence_efficiency_pct | % | samples to converge of the base over these
-- overhead_efficiency_pct | % | the rest: evaluation, start, gaps
-- epochs_to_converge | epochs | mean over the runs that count
-- base_epochs_to_converge | epochs | of the base
-- samples_to_converge | samples | mean over the runs that count
-- training_samples_per_s | samples/s | while training
-- global_batch_size | samples | NULL: not logged, or not the same in all runs
-- base_global_batch_size | samples | of the base
-- is_like_for_like | - | nothing that scale or batch size does not explain differs at an equal batch size; NULL: not known
-- note | - | what else changed between the two ends
-- is_printable | - | efficiency may stand in figures and tables: like for like, or waived
-- footnote | - | the waiver's reason, where one lets it be printed
-- verification | - | official or unverified; the weaker of the two ends
-- kind | - | logged or reconstructed
select
    * replace (
        case when is_printable then speedup end as speedup,
        case when is_printable then efficiency_pct end as efficiency_pct,
        case when is_printable then throughput_efficiency_pct end as throughput_efficiency_pct,
        case when is_printable then convergence_efficiency_pct end as convergence_efficiency_pct,
        case when is_printable then overhead_efficiency_pct end as overhead_efficiency_pct
    )
from scaling
