"""The state of one round, and what follows from it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.games.game import Game, Invitation
from controller.games.layout import Hand, Layout, Seat, Settlement, Turn
from controller.money import sum_cents
from controller.round.events import Command
from controller.round.prompts import Prompt, text

DEALER = 0
"""Seat number of the dealer."""

PayFrom = Literal["first-base", "third-base"]
"""The end of the table at which the dealer begins to pay: seat 1, or the seat with the highest number."""


@dataclass(frozen=True, slots=True)
class Due:
    """What is due now. Seat 0 is the dealer or the whole table."""

    prompt: Prompt
    seat: int = DEALER

    @property
    def text(self) -> str:
        """What the console says."""
        return text(self.prompt)


@dataclass(frozen=True, slots=True)
class DealPosition:
    """Where a card of the deal goes: to a seat, or to the dealer, face up or face down."""

    seat: int = DEALER
    up: bool = True


@dataclass(slots=True)
class State:
    """One round. The machine sets `phase`."""

    game: Game
    places: int
    """Seats 1 to `places` exist."""
    burn: int
    """Cards that are still to be burned."""
    bank: int = DEALER
    """The seat that banks the round, and has no wagers. DEALER: none."""
    pay_from: PayFrom = "first-base"
    phase: str = "betting"
    layout: Layout = field(default_factory=Layout)
    deal: tuple[DealPosition, ...] = ()
    """The positions of the cards that are still to be dealt."""
    invited: Invitation = field(default_factory=dict)
    """The spots that take wagers in the open window, by seat."""
    split: Turn | None = None
    """The hand whose split opened the window, if one did."""
    void: str = ""
    """Why the round is void."""
    lines: tuple[Settlement, ...] = ()
    unpaid: tuple[int, ...] = ()
    """Seats whose wagers are not settled yet, in paying order."""
    commands: list[Command] = field(default_factory=list)
    """What follows from the current event."""


def turn(state: State) -> Turn | None:
    """The hand that is to act, if any."""
    for number, seat in state.layout.seats.items():
        for index, held in enumerate(seat.hands):
            at = Turn(number, index)
            if held.awaits or state.game.choices(state.layout, at):
                return at
    return None


def hand(state: State, at: Turn) -> Hand:
    return state.layout.seats[at.seat].hands[at.hand]


def put_hands(state: State, at: Turn, *hands: Hand) -> None:
    """Replaces the hand at `at` by these hands."""
    seats = state.layout.seats
    seats[at.seat] = seats[at.seat].put(at.hand, *hands)


def seat_wagers(seat: Seat) -> Iterator[Mapping[str, int | None]]:
    """The wagers of a seat by spot: its own, then those of its split hands."""
    yield seat.wagers
    yield from (each.wagers for each in seat.hands)


def standing_cents(state: State, seat: int, spot: str) -> int | None:
    """What lies on a spot for all hands that share it, in cents; None is unknown."""
    return sum_cents(on[spot] for on in seat_wagers(state.layout.seats[seat]) if spot in on)


def added_cents(game: Game, seat: Seat) -> int | None:
    """Cents for which a seat's hands were doubled and split; None is unknown."""
    stake, bets = game.stake(seat.wagers), sum_cents(hand.bet for hand in seat.hands)
    return None if stake is None or bets is None else bets - stake
