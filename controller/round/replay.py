"""A round replayed from its own events, one of which has changed. Events that are no longer allowed are
skipped, and every card goes where the rules send it then."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from controller.cards import Card
from controller.games.layout import Turn
from controller.round.events import CardOut, Command, Event, EventRefused
from controller.round.round import Round
from controller.round.state import DEALER


@dataclass(frozen=True, slots=True, order=True)
class CardPosition:
    """The position of a card. Hands and cards count from 1; seat 0 is the dealer."""

    seat: int
    hand: int
    card: int


@dataclass(frozen=True, slots=True)
class CommandAt:
    """A command, and the index of the event that caused it."""

    at: int
    command: Command


@dataclass(frozen=True, slots=True)
class ReplayedRound:
    """A round after its events.

    `accepted` and `refused` are indices into the list of events. `positions` maps each card on the table to
    the index of the event that brought it. A card in neither was burned before the deal.
    """

    round: Round
    accepted: tuple[int, ...]
    refused: tuple[int, ...]
    positions: dict[CardPosition, int]
    commands: tuple[CommandAt, ...]
    hidden: int | None
    """Index of the card that lies face down."""
    hole: int | None
    """Index of the hole card, even if it was turned since."""


def replay(fresh: Round, events: Sequence[Event]) -> ReplayedRound:
    """Plays all events in `fresh`, a round to which nothing has happened."""
    accepted: list[int] = []
    refused: list[int] = []
    emitted: list[CommandAt] = []
    hole: int | None = None
    for at, event in enumerate(events):
        try:
            commands = fresh.handle(_indexed(event, at))
        except EventRefused:
            refused.append(at)
            continue
        accepted.append(at)
        emitted += (CommandAt(at, command) for command in commands)
        hole = at if fresh.hidden and hole is None else hole
    hidden = hole if fresh.hidden else None
    return ReplayedRound(
        fresh, tuple(accepted), tuple(refused), dict(_positions(fresh)), tuple(emitted), hidden, hole
    )


def card_targets(fresh: Round, events: Sequence[Event]) -> Iterator[Turn | None]:
    """The hand that a card right before each event would be for; last, the one after all events."""
    for event in events:
        yield fresh.card_target
        try:
            fresh.handle(event)
        except EventRefused:
            continue
    yield fresh.card_target


class _IndexedCard(str):
    """A card with the index of its event. The rules see no difference."""

    __slots__ = ("at",)
    at: int


def _indexed(event: Event, at: int) -> Event:
    if not isinstance(event, CardOut):
        return event
    card = _IndexedCard(event.card)
    card.at = at
    return replace(event, card=Card(card))


def _positions(played: Round) -> Iterator[tuple[CardPosition, int]]:
    for number, seat in played.seats.items():
        for place, hand in enumerate(seat.hands, 1):
            yield from _numbered(number, place, hand.cards)
    yield from _numbered(DEALER, 1, played.dealer.cards)


def _numbered(seat: int, hand: int, cards: Sequence[str]) -> Iterator[tuple[CardPosition, int]]:
    for number, card in enumerate(cards, 1):
        if isinstance(card, _IndexedCard):  # nobody reports a card that lies face down
            yield CardPosition(seat, hand, number), card.at
