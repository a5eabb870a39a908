"""Files in, typed records out. Knows no database and draws nothing."""
