-- Result sets with the family they belong to; a result set whose system has no description is one alone.
-- stored
-- result_set | - | result set
-- family | - | name for people
-- family_key | - | what members have in common
-- scale | accelerators | what rows are compared by; nodes where no row of the ladder has accelerators
-- ladder | - | family, division and benchmark: the rows that may be compared by node count
with members as (
    select s.result_set, s.nodes, s.accelerators, coalesce(f.family, s.system) as family,
        coalesce(f.family_key, s.result_set) as family_key,
        concat_ws('/', coalesce(f.family_key, s.result_set), coalesce(s.division, 'no division'),
            coalesce(s.benchmark, 'no benchmark')) as ladder
    from result_set s
    left join family f on f.collection = s.collection and f.system = s.system
        and f.round is not distinct from s.round and f.organization is not distinct from s.organization
)
select result_set, family, family_key,
    if(count(accelerators) over (partition by ladder) = 0, nodes, accelerators) as scale, ladder
from members
