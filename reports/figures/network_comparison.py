"""The collective and ranks that the most systems have run, for the page of all of them."""

from reports.figures.network_compare import CAPTION, alt_text, chart, compared

__all__ = ["CAPTION", "TITLE", "VIEW", "alt_text", "chart"]

VIEW = compared("true", "true")

TITLE = "The collective and ranks that were run on the most systems"
