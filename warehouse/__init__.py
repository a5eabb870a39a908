"""Typed records to a database that can be believed: tables, views and rules. Draws nothing."""
