-- Waivers of data/waivers.toml and whether they still hold.
-- rule | - | whose finding is accepted
-- subject | - | what the finding is about; without @collection it speaks of every collection
-- reason | - | why; the footnote where a result is printed because of it
-- author | - | role of who decided it
-- since | - | first day
-- until | - | last day
-- line | - | of the entry in data/waivers.toml
-- status | - | active, stale (past its end), early (not begun), unmatched (no such finding)
-- is_loaded | - | the result set it speaks of is in the database
select w.*,
    case when current_date > until then 'stale' when current_date < since then 'early'
        when exists (select 1 from judged j where j.rule = w.rule
            and w.subject in (j.subject, split_part(j.subject, '@', 1))) then 'active'
        else 'unmatched' end as status,
    exists (select 1 from result_set s
        where w.subject in (s.result_set, split_part(s.result_set, '@', 1))) as is_loaded
from waiver w
