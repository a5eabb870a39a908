"""The forms of fio output: what the formats fio_* share."""
