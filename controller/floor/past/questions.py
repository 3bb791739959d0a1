"""The questions that the floor's worker processes answer."""

from typing import Final

from controller.monitor.past.messages import REPORT

MODULE: Final = "controller.floor.past"
"""What a worker process runs."""
ABOUT_REPORTS: Final = frozenset(
    {REPORT, "report days page", "report sheet", "report page", "table report page"}
)
"""They have a process of their own: a report across many tables must not delay a page about a round."""
