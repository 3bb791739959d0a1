"""The questions that the floor's worker processes answer. People open one page after another, and a process
takes half a second to start: so questions of each set share one."""

from typing import Final

from controller.monitor.past.messages import REPORT

MODULE: Final = "controller.floor.past"
"""What a worker process runs."""
ABOUT_ROUNDS: Final = frozenset(
    {"rounds", "rounds page", "rounds sheet", "round", "steps", "round page", "replay page"}
)
ABOUT_REPORTS: Final = frozenset(
    {REPORT, "report days page", "report sheet", "report page", "table report page"}
)
