-- The relation scaling_revised as it may be printed: speed-up and efficiency are NULL where a row is not
-- like for like and no waiver covers it.
-- result_set | - | result set, the new one where it is replaced
-- replaces | - | result set that it replaces, else NULL
-- round | - | such as v1.1
-- division | - | closed or open
-- organization | - | submitter
-- family | - | name for people
-- system | - | system under test
-- benchmark | - | folder name of the benchmark
-- benchmark_title | - | name for people
-- nodes | nodes | from the system description
-- accelerators | accelerators | from the system description
-- score_min | min | olympic mean, raw; for a replaced row what is known of the new one
-- base_system | - | system of the base
-- base_nodes | nodes | of the base
-- base_score_min | min | of the base, replaced where it is superseded
-- growth | ratio | accelerators over those of the base; nodes where no accelerators are known
-- ideal_min | min | score if the family scaled perfectly from its base
-- speedup | ratio | base score over score
-- efficiency_pct | % | speed-up over growth in accelerators
-- is_like_for_like | - | as in scaling; NULL where an end is replaced and its settings are not known
-- note | - | what else changed between the two ends
-- is_printable | - | efficiency may stand in figures and tables
-- footnote | - | why it is printed, or what was replaced
-- verification | - | official or unverified; the weaker of the two ends
-- row_verification | - | of this row's own result
-- kind | - | logged or reconstructed
-- collection | - | source.toml that governs its files, '' for none
select
    * replace (
        case when is_printable then speedup end as speedup,
        case when is_printable then efficiency_pct end as efficiency_pct
    )
from scaling_revised
