"""What the table's loop gathers while it applies a batch of events."""

from dataclasses import dataclass, field

from controller.journal.chain import RowContent
from controller.table.errors import NotAllowed
from controller.table.record.events import ActTaken, CommandTaken, ConsoleKey, Input
from controller.table.record.notes import Note
from drivers.link.reports import DeviceEvent
from drivers.messages import CardDrawn, Key


@dataclass(slots=True)
class Batch:
    """What follows from one batch."""

    rows: list[RowContent] = field(default_factory=list)
    inputs: list[Input] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    commits: dict[str, int] = field(default_factory=dict)
    refused: dict[int, NotAllowed] = field(default_factory=dict)
    taken: dict[int, ActTaken | CommandTaken] = field(default_factory=dict)
    card_since: float | None = None
    between: bool = False
    """The last thing that happened ended a round; nothing is in the next one yet."""
    commit: float | None = None
    """Seconds that the disk took."""


def is_key(event: object) -> bool:
    """Whether the dealer has just pressed a key, on the console or on a screen."""
    return isinstance(event, ConsoleKey) or (isinstance(event, DeviceEvent) and isinstance(event.body, Key))


def is_card(event: object) -> bool:
    """Whether a card has just left the shoe."""
    return isinstance(event, DeviceEvent) and isinstance(event.body, CardDrawn) and not event.history
