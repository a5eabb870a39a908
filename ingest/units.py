"""The canonical unit of each dimension, and the only conversion factors of the project.

Time of an event is milliseconds (`_ms`), a published duration is minutes (`_min`).
"""

MS_PER_S = 1_000.0
NS_PER_US = 1_000
SECTOR_BYTES = 512
KIB = 1 << 10
MIB = 1 << 20
GIB = 1 << 30
