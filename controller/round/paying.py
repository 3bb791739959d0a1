"""After the players: the dealer draws, then wagers are settled seat by seat or all at once."""

from controller.cards import Card
from controller.games.layout import Turn
from controller.round.events import EventRefused, Key
from controller.round.keys import KeyPress
from controller.round.prompts import DealerDraws, PaySeat
from controller.round.state import DEALER, Due, State


def draw_due(state: State) -> Due:
    return Due(DealerDraws(state.game.count(state.layout.dealer)))


def draw(state: State, card: Card) -> None:
    state.layout.drawn += (card,)


def card_target(_state: State) -> Turn:
    return Turn(DEALER, 0)


def due(state: State) -> Due:
    seat, *others = state.unpaid
    return Due(PaySeat(seat, tuple(others) or None), seat)


def key_presses(state: State) -> tuple[KeyPress, ...]:
    return (KeyPress("pay", (DEALER, *state.unpaid)),)


def pay(state: State, key: Key) -> None:
    """The dealer has settled the wagers of a seat, or of all."""
    if key.action != "pay":
        raise EventRefused(f"{key.action} is not possible: {due(state).text}")
    if key.seat not in (DEALER, *state.unpaid):
        raise EventRefused(f"seat {key.seat} has nothing to pay: {due(state).text}")
    state.unpaid = tuple(seat for seat in state.unpaid if key.seat not in (DEALER, seat))
