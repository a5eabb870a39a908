"""From the database to things to look at: figures, tables and the site."""
