-- title: Official check of power files
-- severity: error
-- applies to: result sets
-- basis: mlcommons/training_policies power_measurement; mlcommons/logging package_checker/power_checker.py
-- why: The energy of a result set needs the readings of every node and switch in every run.
-- remedy: Put node_0.txt to node_<n-1>.txt and sw_0.txt to sw_<m-1>.txt into power/result_<i>/ of each run.
-- false positives: Power files with the same bytes as another file are kept once, and count as missing the second time.
select result_set as subject, reason || ' (' || rule_set || ')' as message, path, line, value, limit_value
from official_power
where verdict in ('fail', 'invalid input')
