-- The benchmarks of MLPerf Training: how many runs, how the score is made, how progress is counted.
-- Sources: mlcommons/training_policies training_rules (run counts, dropped runs) and mlcommons/logging
-- rcp_checker `submission_runs`; data set sizes are those of the reference data sets, because logged
-- train_samples means batches or capped counts for some benchmarks.
-- benchmark | - | folder name in a submission
-- title | - | name for people
-- first_round | - | number of the first round to which the row applies (1.1 for v1.1)
-- last_round | - | number of the last such round
-- runs_required | runs | runs in a result set
-- drops | runs | fastest and as many slowest runs that the olympic mean leaves out
-- samples_per_epoch | samples | size of the training data set; NULL: the logged train_samples is used
-- sample | - | what one sample is
-- progress | - | where progress stands: epochs (epoch_num), epochs_from_one (epoch_num begins at 1), samples (epoch_num counts samples), samples_count (metadata), train_samples (last value of that key), none
-- quality | - | what an evaluation measures; NULL: several things
-- is_lower_better | - | a smaller value is a better one
select * from (values
    ('resnet',          'ResNet-50',        0.0, 99.0,  5, 1, 1281167,    'image',     'epochs',
        'top-1 accuracy', false),
    ('ssd',             'SSD',              0.0, 1.1,   5, 1, 117266,     'image',     'epochs',
        'mAP', false),
    ('ssd',             'SSD (RetinaNet)',  2.0, 99.0,  5, 1, 1170301,    'image',     'epochs',
        'mAP', false),
    ('retinanet',       'RetinaNet',        2.0, 99.0,  5, 1, 1170301,    'image',     'epochs',
        'mAP', false),
    ('maskrcnn',        'Mask R-CNN',       0.0, 99.0,  5, 1, 117266,     'image',     'epochs',
        'mAP of boxes and masks', false),
    ('rnnt',            'RNN-T',            0.0, 99.0, 10, 1, null,       'utterance', 'epochs',
        'word error rate', true),
    ('bert',            'BERT',             0.0, 1.1,  10, 1, null,       'sequence',  'train_samples',
        'masked-LM accuracy', false),
    ('bert',            'BERT',             2.0, 99.0, 10, 1, null,       'sequence',  'samples',
        'masked-LM accuracy', false),
    ('dlrm',            'DLRM',             0.0, 99.0,  5, 1, 4195197692, 'sample',    'epochs_from_one',
        'AUC', false),
    ('dlrm_dcnv2',      'DLRM-DCNv2',       0.0, 99.0, 10, 1, 4195197692, 'sample',    'epochs',
        'AUC', false),
    ('minigo',          'Minigo',           0.0, 99.0, 10, 1, null,       'game',      'none',
        'win rate', false),
    ('unet3d',          '3D U-Net',         0.0, 2.1,  40, 4, 168,        'volume',    'epochs',
        'mean Dice score', false),
    ('unet3d',          '3D U-Net',         3.0, 99.0, 40, 4, 168,        'volume',    'samples',
        'mean Dice score', false),
    ('gnmt',            'GNMT',             0.0, 99.0, 10, 1, null,       'sentence',  'epochs',
        'BLEU', false),
    ('transformer',     'Transformer',      0.0, 99.0, 10, 1, null,       'sentence',  'epochs',
        'BLEU', false),
    ('ncf',             'NCF',              0.0, 99.0, 100, 1, null,      'sample',    'epochs',
        'hit rate at 10', false),
    ('gnn',             'GNN (R-GAT)',      0.0, 99.0, 10, 1, null,       'node',      'epochs',
        'accuracy', false),
    ('rgat',            'GNN (R-GAT)',      0.0, 99.0, 10, 1, null,       'node',      'epochs',
        'accuracy', false),
    ('llama2_70b_lora', 'Llama 2 70B LoRA', 0.0, 99.0, 10, 1, null,       'sequence',  'samples_count',
        'evaluation loss', true),
    ('llama31_8b',      'Llama 3.1 8B',     0.0, 99.0, 10, 1, null,       'sequence',  'samples_count',
        'log perplexity', true),
    ('llama31_405b',    'Llama 3.1 405B',   0.0, 99.0,  3, 1, null,       'sequence',  'samples_count',
        'log perplexity', true),
    ('gpt3',            'GPT-3',            0.0, 99.0,  3, 1, null,       'token',     'samples',
        'log perplexity', true),
    ('stable_diffusion', 'Stable Diffusion', 0.0, 99.0, 10, 1, null,      'image',     'samples_count',
        null, null),
    ('flux1',           'FLUX.1',           0.0, 99.0, 10, 1, null,       'image',     'samples_count',
        'validation loss', true)
) as known (benchmark, title, first_round, last_round, runs_required, drops, samples_per_epoch,
            sample, progress, quality, is_lower_better)
