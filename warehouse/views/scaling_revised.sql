-- Scaling with superseded results replaced by the later, unverified ones; used by revised figures only.
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
with revised as (
    select s.*, o.new_set as own_set, o.new_verification as own_verification,
        b.new_verification as base_verification, o.reason as own_reason,
        b.reason as base_reason, t.verification as result_verification,
        coalesce(o.new_min, s.score_min) as settled_min,
        coalesce(b.new_min, s.base_score_min) as settled_base_min,
        o.new_set is not null or b.new_set is not null as is_replaced
    from scaling s
    join result_set t using (result_set)
    left join superseded o on o.result_set = s.result_set
    left join superseded b on b.result_set = s.base_set
)
select coalesce(own_set, result_set) as result_set,
    case when own_set is not null then result_set end as replaces, round, division, organization, family,
    system, benchmark, benchmark_title, nodes, accelerators, settled_min as score_min, base_system,
    base_nodes, settled_base_min as base_score_min, growth, settled_base_min / growth as ideal_min,
    settled_base_min / settled_min as speedup,
    100 * (settled_base_min / settled_min) / growth as efficiency_pct,
    case when not is_replaced then is_like_for_like when result_set = base_set then true end
        as is_like_for_like,
    case when not is_replaced then note when result_set = base_set then null
        else 'hyperparameters of the new run are not known' end as note,
    is_replaced or is_printable as is_printable,
    case when is_replaced then coalesce(own_reason, base_reason) else footnote end as footnote,
    case when 'unverified' in (own_verification, base_verification) then 'unverified'
        else verification end as verification,
    coalesce(own_verification, result_verification) as row_verification, kind, collection
from revised
