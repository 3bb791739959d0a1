"""One round of a game, pure: no clock, no I/O. Events go in through `handle`, commands come out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from controller.cards import FACE_DOWN
from controller.games.bets.insurance import Forbidden
from controller.games.game import Game, Invitation
from controller.games.layout import Seat, Settlement, Turn
from controller.money import sum_cents
from controller.round.betting import PLAYED
from controller.round.events import CardOut, Command, Event, EventRefused, Jackpot, Key, Void, Wager
from controller.round.keys import KeyPress
from controller.round.machine import WINDOWS, triggers
from controller.round.offering import placed
from controller.round.phases import PHASES
from controller.round.state import Due, PayFrom, State, hand, standing_cents, turn

TAKES_AMOUNT = frozenset({"double", "insurance"})
"""Keys that may come with an amount."""
BEFORE_CARDS = frozenset({"burning", "dealing"})
BEFORE_DEAL = frozenset({"betting", "burning", "void"})


@dataclass(frozen=True, slots=True)
class DealerHand:
    """The dealer's cards as anyone may see them. `total` is None while one lies face down."""

    cards: tuple[str, ...]
    total: int | None
    bust: bool


class Round:
    """From the first wager to the last payment. `seats` count from 1; `burn` cards come before the deal.

    `bank`: the seat that banks the round, 0 for none. `pay_from`: the order in which the seats are due to be
    paid; it changes no result.
    """

    def __init__(
        self,
        game: Game,
        *,
        seats: int = 7,
        burn: int = 0,
        bank: int = 0,
        pay_from: PayFrom = "first-base",
    ) -> None:
        self.game = game
        self._state = State(game, seats, burn, bank, pay_from)
        self._began = (seats, burn, bank, pay_from)

    def fresh(self) -> "Round":
        """A new round with the same settings."""
        seats, burn, bank, pay_from = self._began
        return Round(self.game, seats=seats, burn=burn, bank=bank, pay_from=pay_from)

    def handle(self, event: Event) -> tuple[Command, ...]:
        """The commands that follow from `event`. Raises EventRefused and has then changed nothing."""
        state = self._state
        state.commands = []
        EVENT_HANDLERS[type(event)](state, event)
        advance = triggers()["advance"]
        while advance(state):
            pass
        return tuple(state.commands)

    @property
    def phase(self) -> str:
        """One of `PHASES`."""
        return self._state.phase

    @property
    def bank(self) -> int | None:
        """The seat that banks the round; 0: the third party; None: the house."""
        return self._state.bank if self.game.player_banked else None

    @property
    def cards_due(self) -> int:
        """How many cards may leave the shoe now."""
        return 0 if _waits_for_jackpot(self._state) else PHASES[self.phase].cards(self._state)

    @property
    def card_target(self) -> Turn | None:
        """The hand that gets the next card, seat 0 for the dealer; None: no card is due, or it is burned."""
        return PHASES[self.phase].card_target(self._state) if self.cards_due else None

    @property
    def due(self) -> Due:
        return PHASES[self.phase].due(self._state)

    @property
    def key_presses(self) -> tuple[KeyPress, ...]:
        return PHASES[self.phase].key_presses(self._state)

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(press.action for press in self.key_presses)

    @property
    def turn(self) -> Turn | None:
        """The hand that is to act, in phases in which hands are played."""
        return turn(self._state) if self.phase in PLAYED else None

    @property
    def advice(self) -> str:
        """The key that a good player asks for the active hand; empty while it waits for its card."""
        at = self.turn
        if at is None or hand(self._state, at).awaits:
            return ""
        return self.game.advice(self._state.layout, at)

    @property
    def seats(self) -> Mapping[int, Seat]:
        return MappingProxyType(self._state.layout.seats)

    @property
    def invited(self) -> Invitation:
        """The spots that take wagers in the open window, by seat."""
        return self._state.invited

    @property
    def unknown_jackpots(self) -> tuple[str, ...]:
        """Spots with a wager whose jackpot is not known yet. Until then no card may leave."""
        return _unknown_jackpots(self._state)

    @property
    def window_open(self) -> bool:
        """Whether a window that the dealer may close is open."""
        return self.phase in WINDOWS

    def placed(self, seat: int, spot: str) -> bool:
        """Whether the wager that may be placed on a spot now is there."""
        if self.phase == "offering":
            return placed(self._state, seat, spot)
        return seat in self.seats and spot in self.seats[seat].wagers

    def standing(self, seat: int, spot: str) -> int | None:
        """What lies on a spot for all hands that share it, in cents; None is unknown."""
        return standing_cents(self._state, seat, spot) if seat in self.seats else 0

    @property
    def hidden(self) -> int:
        return int(not PHASES[self.phase].dealer_face_up and self._state.layout.hole is not None)

    @property
    def dealer(self) -> DealerHand:
        layout = self._state.layout
        cards = layout.dealer
        if not cards or not PHASES[self.phase].dealer_face_up:
            seen = (layout.up, layout.hole and FACE_DOWN)
            return DealerHand(tuple(card for card in seen if card), None, bust=False)
        return DealerHand(cards, self.game.total(cards), self.game.bust(cards))

    @property
    def dealt(self) -> bool:
        """Whether the first cards of all seats and the up-card are out."""
        state = self._state
        return state.phase not in BEFORE_DEAL and not any(place.up for place in state.deal)

    @property
    def shares(self) -> tuple[Settlement, ...]:
        """The jackpot shares that the first cards win, in the order of the winners."""
        return tuple(self.game.shares(self._state.layout)) if self.dealt else ()

    @property
    def settlements(self) -> tuple[Settlement, ...]:
        """One line for each wager and hand, once they are decided."""
        return self._state.lines

    @property
    def unpaid(self) -> tuple[int, ...]:
        """Seats whose wagers are decided but not settled, in paying order."""
        return self._state.unpaid

    @property
    def net(self) -> Mapping[int, int | None]:
        """Each seat's gain in cents once it is decided; None if a part of it is unknown."""
        seats = dict.fromkeys(line.seat for line in self.settlements)
        return {
            seat: sum_cents(line.paid for line in self.settlements if line.seat == seat) for seat in seats
        }


def _wager(state: State, wager: Wager) -> None:
    if wager.spot not in state.game.spots:
        raise EventRefused(
            f"{state.game.name} has no spot {wager.spot}; it has {', '.join(state.game.spots)}"
        )
    if not 1 <= wager.seat <= state.places:
        raise EventRefused(f"there is no seat {wager.seat}; seats are 1 to {state.places}")
    PHASES[state.phase].wager(state, wager)


def _card(state: State, out: CardOut) -> None:
    if _waits_for_jackpot(state):
        spots = ", ".join(_unknown_jackpots(state))
        raise EventRefused(f"no card is due: the jackpot of {spots} is not known yet")
    PHASES[state.phase].card(state, out.card)


def _jackpot(state: State, jackpot: Jackpot) -> None:
    meters = state.game.meters
    if jackpot.spot not in meters:
        allowed = f"; it has {', '.join(meters)}" if meters else ""
        raise EventRefused(f"{state.game.name} has no jackpot {jackpot.spot}{allowed}")
    if state.phase not in BEFORE_CARDS or jackpot.spot in state.layout.meters:
        raise EventRefused(f"the jackpot of {jackpot.spot} is shown once, right after betting has closed")
    state.layout.meters[jackpot.spot] = jackpot.cents
    if jackpot.seed is not None:
        state.layout.seeds[jackpot.spot] = jackpot.seed
    if jackpot.linked:
        state.layout.linked.add(jackpot.spot)


def _waits_for_jackpot(state: State) -> bool:
    return state.phase in BEFORE_CARDS and bool(_unknown_jackpots(state))


def _unknown_jackpots(state: State) -> tuple[str, ...]:
    layout = state.layout
    return tuple(
        spot
        for spot in state.game.meters
        if spot not in layout.meters and any(spot in seat.wagers for seat in layout.seats.values())
    )


def _key(state: State, key: Key) -> None:
    phase = PHASES[state.phase]
    if key.cents is not None and key.action not in TAKES_AMOUNT:
        raise EventRefused(f"{key.action} takes no amount")
    try:
        phase.key(state, key)
    except Forbidden as forbidden:
        raise EventRefused(str(forbidden)) from None
    if key.action in triggers():
        triggers()[key.action](state)


def _void(state: State, void: Void) -> None:
    paid = {line.seat for line in state.lines} - set(state.unpaid)
    if state.phase in ("over", "void") or paid:
        raise EventRefused(f"it is too late to void: {PHASES[state.phase].due(state).text}")
    state.void = void.why
    triggers()["void"](state)


EVENT_HANDLERS: dict[type, Callable[[State, Any], None]] = {
    CardOut: _card,
    Key: _key,
    Wager: _wager,
    Void: _void,
    Jackpot: _jackpot,
}
