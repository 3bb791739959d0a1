"""All that one round remembers, and what follows from it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.games.game import Game
from controller.games.layout import Hand, Layout, Seat, Settlement, Turn
from controller.round.commands import Command

DEALER = 0
"""The dealer's place where a seat is named."""


@dataclass(frozen=True, slots=True)
class Due:
    """The one thing that is due, in a dealer's words; seat 0 is the dealer or the whole table."""

    text: str
    seat: int = DEALER


@dataclass(slots=True)
class State:
    """One round; `phase` is kept by the machine of course.py."""

    game: Game
    places: int
    """Seats 1 to `places` exist."""
    burn: int
    """Cards that are still to be burned."""
    phase: str = "betting"
    layout: Layout = field(default_factory=Layout)
    deal: tuple[int, ...] = ()
    """Who gets the next cards of the deal."""
    void: str = ""
    """Why the round is called off."""
    lines: tuple[Settlement, ...] = ()
    unpaid: tuple[int, ...] = ()
    """Seats whose wagers are not taken and paid yet."""
    commands: list[Command] = field(default_factory=list)
    """What follows from the event in hand."""


def hole(game: Game) -> int:
    """The place of the face-down card among the dealer's, counted from 0."""
    return [step for step in game.deal if step != "seats"].index("dealer down")


def turn(state: State) -> Turn | None:
    """The hand that is to act, if any."""
    return next(_turns(state), None)


def hand(state: State, at: Turn) -> Hand:
    """The hand whose turn it is."""
    return state.layout.seats[at.seat].hands[at.hand]


def put_hand(state: State, at: Turn, changed: Hand) -> None:
    """Replaces one hand of a seat."""
    seat = state.layout.seats[at.seat]
    hands = (*seat.hands[: at.hand], changed, *seat.hands[at.hand + 1 :])
    state.layout.seats[at.seat] = Seat(seat.wagers, hands)


def _turns(state: State) -> Iterator[Turn]:
    for number, seat in state.layout.seats.items():
        for index, held in enumerate(seat.hands):
            at = Turn(number, index)
            if held.choice == "hit" or (not held.choice and state.game.choices(state.layout, at)):
                yield at
