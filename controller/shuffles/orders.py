"""In which order the cards of past shoes came, as a journal tells it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from controller.cards import DECK
from controller.journal.chain import Entry
from controller.table.events import DeviceEvent
from controller.table.rows import read_input
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable, Loaded

ENDED = "round"
"""The kind of the row that ends a round."""
CARDS = (CardDrawn, CardUnpermitted, CardUnreadable, CardInterrupted)


@dataclass(frozen=True, slots=True)
class Order:
    """One shoe that has ended: its cards as they left it, empty text for one that nobody read.

    `at`: when it was loaded, seconds of Unix time.
    """

    at: float
    decks: int
    cards: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether each card was read, and none came oftener than the decks hold it."""
        read = all(card in DECK for card in self.cards)
        return read and all(self.cards.count(card) <= self.decks for card in set(self.cards))


def orders(entries: Iterable[Entry]) -> Iterator[Order]:
    """Every shoe that was loaded and has been followed by another. The one in play is not in here, nor one
    that ended in the round in play: what lies face down is in it. Raises what reading a row raises."""
    loaded: tuple[float, int] | None = None
    cards: list[str] = []
    held: list[Order] = []
    playing = False
    for entry in entries:
        body = _body(entry)
        if isinstance(body, Loaded):
            held += [Order(*loaded, tuple(cards))] if loaded else []
            loaded, cards = (entry.content.at, body.decks), []
        elif isinstance(body, CARDS):
            cards.append(_face(body))
        playing = entry.content.kind != ENDED and (playing or isinstance(body, CARDS))
        if not playing:
            yield from held
            held.clear()


def _body(entry: Entry) -> object:
    """What a device's event says, unless it belongs to another table's time."""
    if entry.content.kind != "event":
        return None
    event = cast("DeviceEvent", read_input(entry.content))
    return None if event.history else event.body


def _face(body: object) -> str:
    face = getattr(body, "card", "")
    return face if face in DECK else ""
