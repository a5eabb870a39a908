"""Table: peaks of the links that carry a collective, with their sources."""

VIEW = """
SELECT platform, CASE scope WHEN 'node' THEN 'each device, within a node'
        ELSE 'all network cards of a node' END AS carries,
    peak_gbps, note, source, url
FROM link_peak
ORDER BY scope DESC, platform
"""

TITLE = "Link peaks, one direction"

EMPTY = "No peak of a link is on record."

HEADINGS = {"peak_gbps": "Peak (GB/s)"}
