"""The canonical unit of each dimension, and the only conversion factors of the project.

Time of an event is milliseconds (`_ms`), a published duration is minutes (`_min`).
"""

MS_PER_S = 1_000.0
MIB = 1 << 20
GIB = 1 << 30
