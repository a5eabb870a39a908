-- The collective of each nccl-tests run: as its output names it, else what the columns leave no doubt about.
-- A size that is one count of elements means one buffer for all, a multiple of it one for each rank; a reduction
-- and a root settle the rest. all_gather and alltoall, gather and scatter look the same and stay unknown.
-- run_id | - | run
-- collective | - | all_reduce, reduce, reduce_scatter, broadcast, or the name in the output; NULL: not settled
-- is_named | - | the output names it
with shaped as (
    select run_id, bool_and(size_bytes = count * element_bytes) as is_plain, bool_and(size_bytes >= 2 * count * element_bytes) as is_by_rank,
        bool_and(redop is not null and redop <> 'none') as has_redop, bool_and(redop is null or redop = 'none') as has_no_redop,
        bool_and(root >= 0) as has_root, bool_and(root is null or root < 0) as has_no_root
    from (
        select *, case when regexp_matches(type, '^(u?int8|fp8.*|f8.*)$') then 1 when regexp_matches(type, '^(half|bfloat16|float16)$') then 2
            when regexp_matches(type, '^(u?int32|float)$') then 4 when regexp_matches(type, '^(u?int64|double)$') then 8 end as element_bytes
        from nccl_row
        where size_bytes > 0 and count > 0
    )
    group by run_id
)
select o.run_id,
    coalesce(o.collective, case when s.has_redop and s.has_no_root and s.is_plain then 'all_reduce'
        when s.has_redop and coalesce(s.has_root, false) and s.is_plain then 'reduce'
        when s.has_redop and s.has_no_root and s.is_by_rank then 'reduce_scatter'
        when s.has_no_redop and coalesce(s.has_root, false) and s.is_plain then 'broadcast' end) as collective,
    o.collective is not null as is_named
from nccl_output o
left join shaped s using (run_id)
