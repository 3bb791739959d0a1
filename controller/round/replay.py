"""A round told once more from its own events, though one of them is another one now: what is not allowed any
more is passed over, every card goes where the rules send it then."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from controller.cards import Card
from controller.games.layout import Turn
from controller.round.events import CardOut, Command, Event, Refused
from controller.round.round import Round
from controller.round.state import DEALER


@dataclass(frozen=True, slots=True, order=True)
class Laid:
    """Where a card lies, as people count: hands and cards of a hand from 1; seat 0 is the dealer."""

    seat: int
    hand: int
    card: int


@dataclass(frozen=True, slots=True)
class Said:
    """What followed from the event at a place of the list."""

    at: int
    command: Command


@dataclass(frozen=True, slots=True)
class Retold:
    """How a round is after its events. `took` and `passed` are places in their list; `laid` says of each card
    on the table at which place it came. A card that is in neither `laid` nor `passed` was burned before the
    deal."""

    round: Round
    took: tuple[int, ...]
    passed: tuple[int, ...]
    laid: dict[Laid, int]
    said: tuple[Said, ...]
    hidden: int | None
    """At which place the card came that lies face down."""
    hole: int | None
    """The same, though it was turned since."""


def retell(fresh: Round, events: Sequence[Event]) -> Retold:
    """Tells `fresh`, a round that nothing has happened to, all of them in order."""
    took: list[int] = []
    passed: list[int] = []
    said: list[Said] = []
    hole: int | None = None
    for at, event in enumerate(events):
        try:
            commands = fresh.handle(_marked(event, at))
        except Refused:
            passed.append(at)
            continue
        took.append(at)
        said += (Said(at, command) for command in commands)
        hole = at if fresh.hidden and hole is None else hole
    hidden = hole if fresh.hidden else None
    return Retold(fresh, tuple(took), tuple(passed), dict(_laid(fresh)), tuple(said), hidden, hole)


def goes(fresh: Round, events: Sequence[Event]) -> Iterator[Turn | None]:
    """Whose hand a card is for that comes right before each of the events; last, right after all."""
    for event in events:
        yield fresh.card_goes
        try:
            fresh.handle(event)
        except Refused:
            continue
    yield fresh.card_goes


class _Marked(str):
    """A card that knows at which place of the list it came: the rules see no difference."""

    __slots__ = ("at",)
    at: int


def _marked(event: Event, at: int) -> Event:
    if not isinstance(event, CardOut):
        return event
    card = _Marked(event.card)
    card.at = at
    return replace(event, card=Card(card))


def _laid(played: Round) -> Iterator[tuple[Laid, int]]:
    for number, seat in played.seats.items():
        for place, hand in enumerate(seat.hands, 1):
            yield from _numbered(number, place, hand.cards)
    yield from _numbered(DEALER, 1, played.dealer.cards)


def _numbered(seat: int, hand: int, cards: Sequence[str]) -> Iterator[tuple[Laid, int]]:
    for number, card in enumerate(cards, 1):
        if isinstance(card, _Marked):  # a card that lies face down is told by nobody
            yield Laid(seat, hand, number), card.at
