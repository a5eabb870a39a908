-- title: Score far from other submitters'
-- severity: info
-- applies to: result sets
-- basis: X20 of the cross-run rules: same accelerator, count, benchmark and global batch size; more than 25 % from the median of at least two other submitters
-- why: The same hardware at the same work takes about the same time; else one of the results deserves a look.
-- remedy: Compare throughput and samples to converge, power limits, host and software with the others.
-- false positives: Power limits that the name of the accelerator does not tell, other links between accelerators, old software.
with alike as (
    select s.*, concat_ws('/', s.collection, s.round, s.division, s.benchmark, s.accelerators, s.global_batch_size,
        regexp_replace(lower(d.accelerator_model), '[^a-z0-9]', '', 'g')) as peers, d.accelerator_model as model
    from score s
    join system_scale d on d.collection = s.collection and d.system = s.system
        and d.round is not distinct from s.round and d.organization is not distinct from s.organization
    where s.score_min is not null and s.global_batch_size is not null and d.accelerator_model is not null
        and s.kind = 'logged'
), submitters as (
    select peers, organization, median(score_min) as score_min, median(training_samples_per_s) as rate,
        median(samples_to_converge) as samples
    from alike
    group by peers, organization
), compared as (
    select a.result_set, a.score_min, a.accelerators, a.model, median(o.score_min) as others_min, count(*) as others,
        any_value(a.training_samples_per_s) / median(o.rate) as rate_ratio,
        any_value(a.samples_to_converge) / median(o.samples) as samples_ratio
    from alike a
    join submitters o on o.peers = a.peers and o.organization <> a.organization
    group by a.result_set, a.score_min, a.accelerators, a.model
    having count(*) >= 2
)
select c.result_set as subject,
    printf('%.2f', score_min) || ' min, ' || printf('%.2f', score_min / others_min) || ' times the median '
        || printf('%.2f', others_min) || ' min of ' || others || ' other submitters on ' || c.accelerators || ' x ' || model
        || coalesce(': samples per second ' || printf('%.2f', rate_ratio) || ' times theirs', '')
        || coalesce(', samples to converge ' || printf('%.2f', samples_ratio) || ' times theirs', '') as message,
    min(r.path) as path, arg_min(r.stop_line, r.path) as line, printf('%.3f', score_min) as value,
    printf('%.3f', others_min) as limit_value
from compared c
join run_result r on r.result_set = c.result_set and r.is_counted
where score_min / others_min not between 0.75 and 1.25
group by c.result_set, score_min, others_min, others, c.accelerators, model, rate_ratio, samples_ratio
