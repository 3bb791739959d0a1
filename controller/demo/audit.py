"""What the journal of an ended demonstration holds, beside the simulated shoe's own list of its cards."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.journal.journal import Journal
from controller.journal.reading import entries
from controller.table.events import DeviceEvent, Input, Supervisor
from controller.table.notes import RoundEnded
from controller.table.rows import read_ended, read_input
from drivers.messages import CardDrawn, CardInterrupted, CardUnreadable

INPUTS = frozenset({"event", "supervisor"})
WARNINGS = frozenset({"alert", "refusal"})
KINDS = INPUTS | WARNINGS | {"round"}
Card = tuple[int, str]
"""The shoe's count and the card."""


@dataclass(frozen=True, slots=True)
class Books:
    """Both sides' books; the journal's chain was verified on the way."""

    ended: tuple[RoundEnded, ...]
    cards: tuple[Card, ...]
    shoe_cards: tuple[Card, ...]
    warnings: tuple[str, ...]
    """What somebody at the table was warned of or refused, as the journal has it."""

    @property
    def rounds(self) -> int:
        """How many rounds ended."""
        return len(self.ended)

    @property
    def wagers(self) -> int:
        """How many wagers were decided."""
        return sum(len(ended.round.lines) for ended in self.ended)


def read_books(journal: Path, shoe_log: Path) -> Books:
    """Read all files of the journal, which no daemon may have open, and the shoe's list.

    Raises JournalError when the journal is damaged or in use.
    """
    with Journal(journal):
        rows = [entry.content for entry in entries(journal) if entry.content.kind in KINDS]
    ended = tuple(read_ended(row) for row in rows if row.kind == "round")
    cards = _cards(read_input(row) for row in rows if row.kind in INPUTS)
    warnings = tuple(row.body for row in rows if row.kind in WARNINGS)
    return Books(ended, tuple(cards), read_shoe_log(shoe_log), warnings)


def read_shoe_log(path: Path) -> tuple[Card, ...]:
    """The simulated shoe's own list of the cards that left."""
    lines = path.read_text().splitlines() if path.exists() else []
    return tuple((int(count), card) for count, card, _at in (line.split() for line in lines))


def _cards(inputs: Iterable[Input]) -> Iterator[Card]:
    """The cards as they came; one that the shoe did not see is the one that a supervisor saw."""
    unseen: deque[int] = deque()
    for told in inputs:
        match told:
            case DeviceEvent(body=CardDrawn(count, card)):
                yield count, card
            case DeviceEvent(body=CardUnreadable(count) | CardInterrupted(count)):
                unseen.append(count)
            case Supervisor(choice="card", card=str(card)) if unseen:
                yield unseen.popleft(), card
