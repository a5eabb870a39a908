-- For each result set of a family with several scales: the result set it is measured against.
-- The base is the smallest scale that has a score; of several there, the one of the same framework,
-- else the fastest. Result sets at the base's own scale are their own base.
-- stored
-- result_set | - | result set
-- base_set | - | result set of the base
-- ladder | - | family, division and benchmark
-- family | - | name for people
-- scale | accelerators | of the result set
-- base_scale | accelerators | of the base
-- accelerators | accelerators | of the result set
-- nodes | nodes | of the result set
-- global_batch_size | samples | of the result set
-- base_global_batch_size | samples | of the base
-- base_accelerators | accelerators | of the base
with members as (
    select m.ladder, m.family, m.scale, s.*, d.framework
    from family_member m
    join score s using (result_set)
    left join system_scale d on d.collection = s.collection and d.system = s.system
        and d.round is not distinct from s.round and d.organization is not distinct from s.organization
    where m.scale is not null
), ladders as (
    select ladder, min(scale) filter (score_min is not null or mean_min is not null) as base_scale
    from members
    group by ladder
    having count(distinct scale) > 1
), paired as (
    select m.*, l.base_scale, b.result_set as base_set, b.global_batch_size as base_batch,
        b.accelerators as base_accelerators,
        row_number() over (partition by m.result_set order by b.result_set = m.result_set desc,
            (b.framework is not distinct from m.framework) desc, b.score_min, b.result_set) as choice
    from members m
    join ladders l using (ladder)
    join members b on b.ladder = m.ladder and b.scale = l.base_scale
)
select result_set, base_set, ladder, family, scale, base_scale, accelerators, nodes, global_batch_size,
    base_batch as base_global_batch_size, base_accelerators
from paired
where choice = 1
