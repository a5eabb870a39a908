"""Table: runs, with their place in the log."""

PLACE = "system"
ORDER = 4

VIEW = """
SELECT collection, round, division, organization, system, benchmark, run_number,
    time_to_train_min, status, is_counted, final_accuracy,
    epochs_to_converge, path || ':' || start_line AS start, path || ':' || stop_line AS stop,
    reason, verification, kind
FROM run_result
WHERE coalesce(collection, '') = $collection AND coalesce(round, '') = $round
    AND coalesce(organization, '') = $organization AND coalesce(system, '') = $system
ORDER BY division, benchmark, run_number, path, run_id
"""

TITLE = "Runs, with their place in the log"

EMPTY = "No run of this system is loaded."

FILTERABLE = True
