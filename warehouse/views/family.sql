-- Families: one system at several node counts, by the rule of the methods page.
-- The stem is the system's name in lower case, without a number that its description confirms as node
-- or accelerator count, and without framework, version, date and division words. Stems that differ
-- only in digits are one family when accelerator, accelerators per node and host CPU agree and no node
-- count occurs twice. data/systems.toml can override. Divisions never mix.
-- stored
-- collection | - | source.toml that governs the file, '' for none
-- round | - | such as v1.1
-- organization | - | submitter
-- system | - | system under test
-- stem | - | its name without what scale and software add
-- family | - | name for people: the smallest member's without what scale and software add, or the overriding one
-- family_key | - | what members have in common, unique
-- nodes | nodes | from the system description
-- accelerators | accelerators | in all nodes
-- accelerators_per_node | accelerators | from the system description
-- accelerator_model | - | from the system description
with named as (
    select collection, round, organization, system, nodes, accelerators, accelerators_per_node,
        accelerator_model, lower(host_processor_model) as processor
    from system_scale
), scaled as (
    select *, case when nodes is null then system else
        regexp_replace(regexp_replace(regexp_replace(regexp_replace(system,
            '^0*' || nodes || 'x', '', 'i'),
            '[-_.]n0*' || nodes || '($|[-_.])', '\1', 'i'),
            '(^|[-_.])0*' || nodes || '[-_]nodes?($|[-_.])', '\2', 'i'),
            '((ngpu|pod)|-)0*(' || coalesce(accelerators, 0) || '|' || 2 * coalesce(accelerators, 0)
                || ')($|[-_.])', '\2\4', 'i') end as unscaled
    from named
), shortened as (
    select *, trim(regexp_replace(regexp_replace(unscaled,
        '[-_.]?(mxnet|pytorch|tensorflow|merlin|hugectr|popart|(paddle)+|jax|tf\d*|ngc[-_.]?\d+\.\d+|20\d{6}|open|closed)(\b|_|$)',
        '_', 'gi'), '[-_]+', '-', 'g'), '-_.') as short_name
    from scaled
), stemmed as (
    select *, lower(short_name) as stem from shortened
), groups as (
    select collection, round, organization, stem, regexp_replace(stem, '\d', '', 'g') as letters,
        min(accelerator_model) as model, min(accelerators_per_node) as per_node,
        min(processor) as processor, list_distinct(list(nodes)) as node_counts
    from stemmed
    group by all
), merged as (
    select a.collection, a.round, a.organization, a.stem,
        coalesce(min(b.stem) filter (not list_has_any(a.node_counts, b.node_counts)), a.stem) as other
    from groups a
    left join groups b on a.collection = b.collection and a.round is not distinct from b.round
        and a.organization is not distinct from b.organization and a.letters = b.letters
        and a.stem <> b.stem and a.model = b.model and a.per_node = b.per_node
        and a.processor = b.processor
    group by a.collection, a.round, a.organization, a.stem
), rooted as (
    select s.*, least(m.stem, m.other) as root, o.family as own_override
    from stemmed s
    join merged m on m.collection = s.collection and m.stem = s.stem
        and m.round is not distinct from s.round
        and m.organization is not distinct from s.organization
    left join family_override o on o.organization = s.organization and o.system = s.system
), keyed as (
    select *, coalesce(own_override, min(own_override) over natural_family) as override
    from rooted
    window natural_family as (partition by collection, round, organization, root)
)
select collection, round, organization, system, stem,
    coalesce(override, first_value(short_name) over (
        partition by collection, round, organization, root
        order by nodes nulls last, length(short_name), short_name)) as family,
    concat_ws('/', round, organization, coalesce(override, root))
        || case when collection = '' then '' else '@' || collection end as family_key,
    nodes, accelerators, accelerators_per_node, accelerator_model
from keyed
