-- What may change a hyperparameter's value between node counts, and why. The first matching row counts.
-- Source: mlcommons/training_policies training_rules (2021-09-23, ebfe13f), table of hyperparameters;
-- DESIGN: identical hyperparameters across node counts.
-- place | - | order of the rows
-- benchmark | - | benchmark to which the row applies, '%' for all
-- pattern | - | LIKE pattern of the key
-- role | - | ignored; batch_size (must agree within a set); device_batch, accumulation and batch (scale or batch size may explain it); fixed (must agree everywhere)
-- why | - | reason
select * from (values
    ( 1, '%',        '%seed',                         'ignored',      'a random seed differs by design'),
    ( 2, 'ssd',      'sgd',                           'ignored',      'one code logs a random number under this key'),
    ( 3, '%',        'train_samples',                 'ignored',      'counts progress, or batches, in many logs'),
    ( 4, '%',        'global_batch_size',             'batch_size',   'compared first: it decides what else may differ'),
    ( 5, '%',        'input_batch_size',              'batch_size',   'compared first: it decides what else may differ'),
    ( 6, '%',        'init_checkpoint_step',          'ignored',      'position'),
    (10, '%',        'd_batch_size',                  'device_batch', 'the share of a device shrinks as devices grow'),
    (11, '%',        'local_batch_size',              'device_batch', 'the share of a device shrinks as devices grow'),
    (12, '%',        'train_batch_size',              'device_batch', 'the share of a device shrinks as devices grow'),
    (13, '%',        'model_bn_span',                 'device_batch', 'batch-norm span shrinks as devices grow'),
    (14, '%',        '%gradient_accumulation_steps',  'accumulation', 'explained while the micro-batch stays the same'),
    (20, 'resnet',   'eval_samples',                  'fixed',        'the evaluation data set is fixed'),
    (21, 'resnet',   '%poly_power',                   'fixed',        'fixed by the policy'),
    (22, 'resnet',   'lars_opt_end_learning_rate',    'fixed',        'fixed by the policy'),
    (23, 'resnet',   'lars_epsilon',                  'fixed',        'fixed by the policy'),
    (24, 'dlrm',     '%poly_power',                   'fixed',        'fixed by the policy'),
    (25, 'maskrcnn', 'opt_learning_rate_decay_factor', 'fixed',       'fixed by the policy'),
    (26, 'maskrcnn', '%image_size',                   'fixed',        'fixed by the policy'),
    (27, 'unet3d',   'oversampling',                  'fixed',        'fixed by the policy'),
    (28, 'unet3d',   '%input_shape',                  'fixed',        'fixed by the policy'),
    (29, 'unet3d',   'validation_overlap',            'fixed',        'fixed by the policy'),
    (30, 'rnnt',     'data_spec%',                    'fixed',        'data augmentation is fixed by the policy'),
    (31, 'rnnt',     'data_speed%',                   'fixed',        'data augmentation is fixed by the policy'),
    (32, 'rnnt',     'opt_weight_decay',              'fixed',        'fixed by the policy'),
    (39, '%',        'eval_samples',                  'ignored',      'logged for a rank or in batches by many'),
    (40, '%',        '%learning_rate%',               'batch',        'learning rate and schedule belong to the batch size'),
    (41, '%',        '%warmup%',                      'batch',        'learning rate and schedule belong to the batch size'),
    (42, '%',        '%decay%',                       'batch',        'schedule and weight decay belong to the batch size'),
    (43, '%',        '%momentum',                     'batch',        'tuned with the batch size'),
    (44, '%',        '%beta%',                        'batch',        'tuned with the batch size'),
    (45, '%',        'lr_%',                          'batch',        'learning rate and schedule belong to the batch size'),
    (46, '%',        '%steps',                        'batch',        'steps are counted in batches'),
    (47, '%',        'samples_per_epoch',             'batch',        'rounded to whole batches')
) as known (place, benchmark, pattern, role, why)
