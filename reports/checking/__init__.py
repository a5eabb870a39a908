"""Findings for people and machines: selected, compared, and written in several formats."""
