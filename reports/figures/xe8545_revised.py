"""Figure 3 of the report: figure 2 with the revised RNN-T result."""

from __future__ import annotations

from reports.figures.xe8545_submitted import VIEW as SUBMITTED
from reports.figures.xe8545_submitted import alt_text, chart

__all__ = ["CAPTION", "TITLE", "VIEW", "alt_text", "chart"]

VIEW = SUBMITTED.replace("edition = 'submitted'", "edition = 'revised'")

TITLE = "Minutes to train on one and two PowerEdge XE8545 servers, with the revised RNN-T result"

CAPTION = (
    "The same as the figure before, but the single-node RNN-T score is a later, unverified run "
    "whose settings are not public. No log of it is public either: its bar is the one mean "
    "that was printed. What could not be checked is said in the notes below the figure."
)
