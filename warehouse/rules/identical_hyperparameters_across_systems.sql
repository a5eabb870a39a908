-- title: Identical hyperparameters across systems
-- severity: warning
-- applies to: result sets
-- basis: X3 of the cross-run rules: same submitter, benchmark, division, framework and global batch size. Legal: training_policies training_rules, Hyperparameters, leaves most values free
-- why: Two systems that were tuned differently are compared by their tuning too, not by their hardware alone.
-- remedy: Run both systems with the same settings, or say beside a comparison what differs.
-- false positives: Settings that suit one accelerator only. Node counts of one family are left to identical_hyperparameters_across_nodes; numbers are compared as numbers, keys that one side does not log are not compared, per-device batch and accumulation only where scale does not explain them.
with members as (
    select s.*, m.ladder, m.scale, concat_ws('/', s.collection, s.round, s.division, s.organization, s.benchmark,
        d.framework, s.global_batch_size) as peers
    from result_set s
    join family_member m using (result_set)
    left join system_scale d on d.collection = s.collection and d.system = s.system
        and d.round is not distinct from s.round and d.organization is not distinct from s.organization
    where s.global_batch_size is not null and s.organization is not null
), pairs as (
    select a.peers, a.result_set, a.system, a.global_batch_size as batch, a.accelerators,
        b.result_set as other_set, b.system as other_system, b.accelerators as other_accelerators,
        a.ladder = b.ladder and a.scale <> b.scale as is_family
    from members a
    join members b on a.peers = b.peers and a.system <> b.system
), different as (
    select p.*, x.key, x.value, y.value as other_value, x.line, x.path
    from pairs p
    join hyperparameter_kind x on x.result_set = p.result_set
    join hyperparameter_kind y on y.result_set = p.other_set and y.key = x.key
    where x.value is distinct from y.value and x.role not in ('ignored', 'batch_size', 'fixed')
        and not coalesce(case x.role when 'device_batch' then p.accelerators <> p.other_accelerators
                and (p.accelerators > p.other_accelerators)
                    = (try_cast(x.value as double) < try_cast(y.value as double))
            when 'accumulation' then p.accelerators * try_cast(x.value as double)
                = p.other_accelerators * try_cast(y.value as double) else false end, true)
), compared as (
    select p.peers, p.result_set, p.system, p.other_set, p.other_system, p.is_family, count(d.key) as differences,
        string_agg(d.key || ' ' || d.other_value || ' -> ' || d.value, ', ' order by d.key) as told,
        string_agg(d.value, '; ' order by d.key) as value, string_agg(d.other_value, '; ' order by d.key) as other_value,
        arg_min(d.path, d.key) as path, arg_min(d.line, d.key) as line
    from pairs p
    left join different d on d.result_set = p.result_set and d.other_set = p.other_set
    group by all
), central as (
    select peers, other_set as reference
    from compared
    group by peers, other_set
    qualify row_number() over (partition by peers
        order by count(*) filter (differences = 0) desc, sum(differences), other_set) = 1
)
select min(result_set) as subject,
    'against ' || other_system || ' at the same global batch size: ' || told
        || case when count(*) > 1 then ' (alike on ' || count(*) || ' systems: '
            || string_agg(system, ', ' order by result_set) || ')' else '' end as message,
    arg_min(path, result_set) as path, arg_min(line, result_set) as line, any_value(value) as value,
    any_value(other_value) as limit_value
from compared c
join central r on r.peers = c.peers and r.reference = c.other_set
where differences > 0 and not is_family
group by other_set, other_system, told
