"""Who wants to know what happens at the table: metrics and logs. They may look and change nothing."""

from typing import Protocol

from controller.table.record.events import Input
from controller.table.record.notes import Note


class Observer(Protocol):
    """Called in the table's own turn, after the disk has it: be quick, never raise."""

    def on_input(self, event: Input) -> None:
        """An input was taken."""

    def on_note(self, note: Note) -> None:
        """This followed from it."""

    def on_commit(self, seconds: float) -> None:
        """A transaction took this long."""

    def on_outputs(self, seconds: float) -> None:
        """From a card's arrival until all that follows from it was handed to the devices."""
