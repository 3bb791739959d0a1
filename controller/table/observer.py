"""Metrics, logs and statistics observe the table. They may look at everything and change nothing."""

from typing import Protocol

from controller.table.record.events import Input
from controller.table.record.notes import Note


class Observer(Protocol):
    """Is called in the table's own task, after the commit: an observer must be quick and must not raise."""

    def on_input(self, event: Input) -> None:
        """The table has applied an input."""

    def on_note(self, note: Note) -> None:
        """The note follows from the last inputs."""

    def on_commit(self, seconds: float) -> None:
        """The duration of a transaction."""

    def on_outputs(self, seconds: float) -> None:
        """The time from a card's arrival until the devices had everything that follows from it."""
