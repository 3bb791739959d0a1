"""The window for side wagers after the deal or at a split.

The dealer closes it. In most games the first action of a hand closes it too; if the game's window waits,
only the dealer does.
"""

from dataclasses import replace

from controller.cards import Card
from controller.games.layout import Turn
from controller.round import betting, playing
from controller.round.events import EventRefused, Key, Wager
from controller.round.keys import CLOSE, KeyPress
from controller.round.prompts import CloseWindow, OpenWindow
from controller.round.state import Due, State, hand, put_hands, standing_cents, turn


def due(state: State) -> Due:
    then = Due(CloseWindow()) if turn(state) is None else playing.due(state)
    wagers = [spot for seat, spots in state.invited.items() for spot in spots if placed(state, seat, spot)]
    window = OpenWindow(state.game.window, tuple(state.invited), len(wagers) or None, then.prompt)
    return Due(window, then.seat)


def key_presses(state: State) -> tuple[KeyPress, ...]:
    """What the active hand may choose, and `close`."""
    return CLOSE if turn(state) is None else (*playing.key_presses(state), *CLOSE)


def cards(state: State) -> int:
    return 0 if turn(state) is None else playing.hits(state)


def card(state: State, drawn: Card) -> None:
    """Gives the active hand its card."""
    if turn(state) is None:
        raise EventRefused(f"no card is due: {due(state).text}")
    playing.hit(state, drawn)
    _acted(state)


def choose(state: State, key: Key) -> None:
    """The choice of the active hand, or the end of the window."""
    if key.action == "close":
        state.invited, state.split = {}, None
        return
    if turn(state) is None:
        raise EventRefused(f"{key.action} is not possible: {due(state).text}")
    before = state.invited
    playing.choose(state, key)
    if state.invited is before:
        _acted(state)


def place(state: State, wager: Wager) -> None:
    """Records what lies on an open spot. Other spots, and amounts that are not allowed, raise an alert."""
    if wager.spot not in state.invited.get(wager.seat, ()):
        betting.check_latched(state, wager)
    elif state.split is None:
        _put_on_seat(state, wager)
    else:
        _put_on_hand(state, _new_hand(state.split), wager)


def placed(state: State, seat: int, spot: str) -> bool:
    """Whether the wager that the window is open for is there."""
    if state.split is None:
        return spot in state.layout.seats[seat].wagers
    return spot in hand(state, _new_hand(state.split)).wagers


def _acted(state: State) -> None:
    if not state.game.waits:
        state.invited, state.split = {}, None


def _new_hand(split: Turn) -> Turn:
    return Turn(split.seat, split.hand + 1)


def _put_on_seat(state: State, wager: Wager) -> None:
    seats = state.layout.seats
    seats[wager.seat] = seats[wager.seat].without(wager.spot)
    if wager.present and _fits(state, wager, wager.cents):
        seats[wager.seat] = seats[wager.seat].wager(wager.spot, wager.cents)


def _put_on_hand(state: State, at: Turn, wager: Wager) -> None:
    """A spot holds the wagers of all hands, so the increase belongs to the new hand."""
    wagers = {spot: cents for spot, cents in hand(state, at).wagers.items() if spot != wager.spot}
    put_hands(state, at, replace(hand(state, at), wagers=wagers))
    before = standing_cents(state, wager.seat, wager.spot)
    more = None if before is None or wager.cents is None else wager.cents - before
    if not wager.present or (more is not None and more <= 0):
        betting.check_latched(state, wager)
    elif _fits(state, wager, more):
        put_hands(state, at, replace(hand(state, at), wagers={**wagers, wager.spot: more}))


def _fits(state: State, wager: Wager, cents: int | None) -> bool:
    fault = "" if cents is None else betting.amount_fault(state, wager.spot, cents)
    if fault:
        betting.alert(state, wager, fault)
    return not fault
