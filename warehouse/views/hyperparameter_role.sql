-- What may change a hyperparameter's value between node counts, and why. The first matching row counts.
-- Source: mlcommons/training_policies training_rules (2021-09-23, ebfe13f), table of hyperparameters;
-- DESIGN: identical hyperparameters across node counts.
-- place | - | order of the rows
-- benchmark | - | benchmark to which the row applies, '%' for all
-- pattern | - | LIKE pattern of the key
-- role | - | ignored; batch_size (must agree within a set); device_batch, accumulation and batch (scale or batch size may explain it); fixed (must agree everywhere)
-- why | - | reason
-- fixed_value | - | the only value of a fixed one, as in hyperparameter; NULL: not fixed
select * from (values
    ( 1, '%',        '%seed',                         'ignored',      'a random seed differs by design', null),
    ( 2, 'ssd',      'sgd',                           'ignored',      'one code logs a random number under this key', null),
    ( 3, '%',        'train_samples',                 'ignored',      'counts progress, or batches, in many logs', null),
    ( 4, '%',        'global_batch_size',             'batch_size',   'compared first: it decides what else may differ', null),
    ( 5, '%',        'input_batch_size',              'batch_size',   'compared first: it decides what else may differ', null),
    ( 6, '%',        'init_checkpoint_step',          'ignored',      'position', null),
    (10, '%',        'd_batch_size',                  'device_batch', 'the share of a device shrinks as devices grow', null),
    (11, '%',        'local_batch_size',              'device_batch', 'the share of a device shrinks as devices grow', null),
    (12, '%',        'train_batch_size',              'device_batch', 'the share of a device shrinks as devices grow', null),
    (13, '%',        'model_bn_span',                 'device_batch', 'batch-norm span shrinks as devices grow', null),
    (14, '%',        '%gradient_accumulation_steps',  'accumulation', 'explained while the micro-batch stays the same', null),
    (20, 'resnet',   'eval_samples',                    'fixed',        'the evaluation data set is fixed', '50000'),
    (21, 'resnet',   '%poly_power',                     'fixed',        'fixed by the policy', '2'),
    (22, 'resnet',   '%end_learning_rate',              'fixed',        'fixed by the policy', '0.0001'),
    (23, 'resnet',   'lars_epsilon',                    'fixed',        'fixed by the policy', '0'),
    (24, 'dlrm',     '%poly_power',                     'fixed',        'fixed by the policy', '2'),
    (25, 'maskrcnn', 'opt_learning_rate_decay_factor',  'fixed',        'fixed by the policy', '0.1'),
    (26, 'maskrcnn', 'min_image_size',                  'fixed',        'fixed by the policy', '800'),
    (27, 'maskrcnn', 'max_image_size',                  'fixed',        'fixed by the policy', '1333'),
    (28, 'unet3d',   'oversampling',                    'fixed',        'fixed by the policy', '0.4'),
    (29, 'unet3d',   '%input_shape',                    'fixed',        'fixed by the policy', '[128,128,128]'),
    (30, 'unet3d',   'validation_overlap',              'fixed',        'fixed by the policy', '0.5'),
    (31, 'unet3d',   'eval_samples',                    'fixed',        'the evaluation data set is fixed', '42'),
    (32, 'rnnt',     'data_spec_augment_freq_min',      'fixed',        'data augmentation is fixed by the policy', '0'),
    (33, 'rnnt',     'data_spec_augment_freq_max',      'fixed',        'data augmentation is fixed by the policy', '20'),
    (34, 'rnnt',     'data_spec_augment_freq_n',        'fixed',        'data augmentation is fixed by the policy', '2'),
    (35, 'rnnt',     'data_spec_augment_time_min',      'fixed',        'data augmentation is fixed by the policy', '0'),
    (36, 'rnnt',     'data_spec_augment_time_max',      'fixed',        'data augmentation is fixed by the policy', '0.03'),
    (37, 'rnnt',     'data_spec_augment_time_n',        'fixed',        'data augmentation is fixed by the policy', '10'),
    (38, 'rnnt',     'data_speed_perturbaton_min',      'fixed',        'data augmentation is fixed by the policy', '0.85'),
    (39, 'rnnt',     'data_speed_perturbaton_max',      'fixed',        'data augmentation is fixed by the policy', '1.15'),
    (40, 'rnnt',     'opt_weight_decay',                'fixed',        'fixed by the policy', '0.001'),
    (41, 'rnnt',     'opt_lamb_learning_rate_min',      'fixed',        'fixed by the policy', '1e-05'),
    (42, 'rnnt',     'eval_samples',                    'fixed',        'the evaluation data set is fixed', '2703'),
    (43, 'minigo',   'min_selfplay_games%',             'fixed',        'fixed by the policy', '8192'),
    (59, '%',        'eval_samples',                  'ignored',      'logged for a rank or in batches by many', null),
    (60, '%',        '%learning_rate%',               'batch',        'learning rate and schedule belong to the batch size', null),
    (61, '%',        '%warmup%',                      'batch',        'learning rate and schedule belong to the batch size', null),
    (62, '%',        '%decay%',                       'batch',        'schedule and weight decay belong to the batch size', null),
    (63, '%',        '%momentum',                     'batch',        'tuned with the batch size', null),
    (64, '%',        '%beta%',                        'batch',        'tuned with the batch size', null),
    (65, '%',        'lr_%',                          'batch',        'learning rate and schedule belong to the batch size', null),
    (66, '%',        '%steps',                        'batch',        'steps are counted in batches', null),
    (67, '%',        'samples_per_epoch',             'batch',        'rounded to whole batches', null)
) as known (place, benchmark, pattern, role, why, fixed_value)
