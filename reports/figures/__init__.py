"""One figure a file; `reports.catalogue` finds them by listing this folder."""
