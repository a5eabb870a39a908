-- Hyperparameters of each run: the last value that the log gives, normalised so that 37 equals 37.0.
-- Everything logged once or as a setting counts; events, measurements and identity do not.
-- stored
-- run_id | - | run
-- result_set | - | result set it belongs to
-- key | - | as logged
-- value | - | normalised text; lists and objects as JSON
-- number | - | the value as a number, where it is one
-- line | - | line in the file
-- path | - | file
with settings as (
    select run_id, key, last.value as value, last.number as number, last.line as line
    from (
        select run_id, key, arg_max({value: value, number: number, line: line}, line) as last
        from event
        where key not in ('cache_clear', 'init_start', 'init_stop', 'run_start', 'run_stop', 'run_final',
                'run_clear_caches', 'epoch_start', 'epoch_stop', 'block_start', 'block_stop',
                'eval_start', 'eval_stop', 'eval_accuracy', 'eval_error', 'eval_result', 'throughput',
                'tracked_stats', 'train_loss', 'current_lr', 'save_model', 'train_epoch', 'status',
                'weights_initialization', 'WEIGHTS_INITIALIZATION', 'staging_start', 'staging_stop',
                'actual_selfplay_games_per_generation', 's_network', 's_optimizer', 's_process',
                'first_epoch_num', 'epoch_count', 'Total runtime')
            and not starts_with(key, 'submission_') and not starts_with(key, 'model_hp_')
            and value is not null
        group by run_id, key
    )
)
select s.run_id, h.result_set, s.key,
    case when s.number is not null and abs(s.number) < 1e15 and s.number = trunc(s.number)
            then s.number::bigint::varchar
        when s.number is not null and value[1] not in ('"', '[') then s.number::varchar
        when s.number is not null then s.number::varchar
        when value[1] = '"' then json_extract_string(value, '$')
        else regexp_replace(value, '(\d)\.0+([,\]}])', '\1\2', 'g') end as value,
    s.number, s.line, h.path
from settings s
join run_header h using (run_id)
