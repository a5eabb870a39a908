"""One table a file, SQL and words; `reports.catalogue` finds them by listing this folder."""
