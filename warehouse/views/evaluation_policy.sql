-- What each benchmark asks of its evaluations: the target, and how many epochs lie between two of them.
-- Source: mlcommons/training_policies training_rules, tables of benchmarks and of evaluation frequency;
-- targets agree with the closed rules of mlcommons/logging compliance_checker.
-- benchmark | - | folder name in a submission
-- first_round | - | number of the first round to which the row applies (1.1 for v1.1)
-- last_round | - | number of the last such round
-- metric | - | as in evaluation
-- target | of the metric | to be reached
-- is_lower_better | - | reached by going below
-- least_batch_size | samples | the target applies from this global batch size on
-- epochs_between | epochs | from one evaluation to the next; NULL: not constant, or not counted in epochs
select * replace (target::double as target, epochs_between::double as epochs_between)
from (values
    ('resnet',           0.6, 99.0, 'accuracy', 0.759,   false, 0,    4),
    ('ssd',              0.6, 0.7,  'accuracy', 0.23,    false, 0,    null),
    ('ssd',              1.0, 1.1,  'accuracy', 0.23,    false, 0,    5),
    ('ssd',              2.0, 99.0, 'accuracy', 0.34,    false, 0,    1),
    ('retinanet',        2.0, 99.0, 'accuracy', 0.34,    false, 0,    1),
    ('maskrcnn',         0.6, 99.0, 'BBOX',     0.377,   false, 0,    1),
    ('maskrcnn',         0.6, 99.0, 'SEGM',     0.339,   false, 0,    1),
    ('rnnt',             1.0, 99.0, 'accuracy', 0.058,   true,  0,    1),
    ('bert',             0.7, 0.7,  'accuracy', 0.712,   false, 0,    null),
    ('bert',             0.7, 0.7,  'accuracy', 0.706,   false, 8192, null),
    ('bert',             1.0, 99.0, 'accuracy', 0.72,    false, 0,    null),
    ('dlrm',             0.7, 99.0, 'accuracy', 0.8025,  false, 0,    0.05),
    ('dlrm_dcnv2',       3.0, 99.0, 'accuracy', 0.80275, false, 0,    0.05),
    ('minigo',           0.7, 99.0, 'accuracy', 0.5,     false, 0,    null),
    ('unet3d',           1.0, 2.1,  'accuracy', 0.908,   false, 0,    20),
    ('unet3d',           3.0, 99.0, 'accuracy', 0.908,   false, 0,    null),
    ('gnmt',             0.7, 99.0, 'accuracy', 0.24,    false, 0,    1),
    ('transformer',      0.7, 99.0, 'accuracy', 0.25,    false, 0,    1),
    ('gnn',              4.0, 99.0, 'accuracy', 0.72,    false, 0,    0.05),
    ('rgat',             4.0, 99.0, 'accuracy', 0.72,    false, 0,    0.05),
    ('gpt3',             3.0, 99.0, 'accuracy', 2.69,    true,  0,    null),
    ('llama2_70b_lora',  4.0, 99.0, 'accuracy', 0.925,   true,  0,    null),
    ('llama31_405b',     5.0, 99.0, 'accuracy', 5.6,     true,  0,    null),
    ('llama31_8b',       5.1, 99.0, 'accuracy', 3.3,     true,  0,    null),
    ('flux1',            5.1, 99.0, 'accuracy', 0.586,   true,  0,    null),
    ('stable_diffusion', 3.1, 99.0, 'FID',      90,      true,  0,    null),
    ('stable_diffusion', 3.1, 99.0, 'CLIP',     0.15,    false, 0,    null)
) as known (benchmark, first_round, last_round, metric, target, is_lower_better, least_batch_size, epochs_between)
