"""Betting: spots accept wagers until the dealer closes. Later changes only raise alerts."""

from collections.abc import Iterator

from controller.games.layout import Hand, Seat
from controller.money import text as amount_text
from controller.round.dealing import deal_positions
from controller.round.events import EventRefused, Key, Wager, WagerAlert
from controller.round.keys import CLOSE, KeyPress
from controller.round.prompts import FixBets, PlaceBets, text
from controller.round.state import Due, State, added_cents, hand, seat_wagers, standing_cents, turn

VOWELS = "aeiou"
EARLY = "came before the deal: it is placed after it"
PLAYED = frozenset({"offering", "playing"})
ADDS = frozenset({"double", "split"})
"""Keys for which players lay chips next to the wager."""


def due(state: State) -> Due:
    """The first obstacle to closing, else how much is wagered."""
    for seat, fault in _faults(state):
        return Due(FixBets(seat, fault), seat)
    count = sum(len(seat.wagers) for seat in state.layout.seats.values())
    return Due(PlaceBets(count or None, state.bank if state.game.player_banked else None))


def key_presses(state: State) -> tuple[KeyPress, ...]:
    """`close`, once every wager may stand."""
    closes = state.layout.seats and not any(_faults(state))
    return CLOSE if closes else ()


def close(state: State, key: Key) -> None:
    """Latches the wagers and gives each seat a hand. Refused with every fault at once."""
    if key.action != "close":
        raise EventRefused(f"{key.action} is not possible: betting is open")
    if not state.layout.seats:
        raise EventRefused("betting does not close: there is no wager")
    if faults := [text(FixBets(seat, fault)) for seat, fault in _faults(state)]:
        raise EventRefused(f"betting does not close: {'; '.join(faults)}")
    seats = sorted(state.layout.seats.items())
    stake = state.game.stake
    state.layout.seats = {
        number: Seat(seat.wagers, (Hand(bet=stake(seat.wagers)),)) for number, seat in seats
    }
    state.deal = deal_positions(state)


def place(state: State, wager: Wager) -> None:
    """Records what lies on an open spot now. A spot for late wagers raises an alert instead."""
    if wager.spot in state.game.late:
        if wager.present:
            alert(state, wager, EARLY)
        return
    seats = state.layout.seats
    wagers = dict(seats[wager.seat].wagers) if wager.seat in seats else {}
    wagers.pop(wager.spot, None)
    if wager.present:
        wagers[wager.spot] = wager.cents
    seats.pop(wager.seat, None)
    if wagers:
        seats[wager.seat] = Seat(wagers)


def check_latched(state: State, wager: Wager) -> None:
    """Raises an alert if a spot differs from what was latched, doubles and splits included."""
    seat = state.layout.seats.get(wager.seat)
    latched = seat is not None and any(wager.spot in on for on in seat_wagers(seat))
    if not latched and wager.present:
        alert(state, wager, f"appeared {_late_text(state, wager)}")
    elif latched and not wager.present:
        alert(state, wager, "vanished after betting closed")
    elif latched and _differs(state, wager):
        alert(state, wager, "changed after betting closed")


def _late_text(state: State, wager: Wager) -> str:
    if wager.spot not in state.game.late:
        return "after betting closed"
    seats = " ".join(str(seat) for seat, spots in state.invited.items() if wager.spot in spots)
    return f"while it is open for seat {seats}" if seats else "while it is not open for anybody"


def alert_text(seat: int, spot: str, what: str) -> str:
    return f"seat {seat}: {'an' if spot[0] in VOWELS else 'a'} {spot} wager {what}"


def alert(state: State, wager: Wager, what: str) -> None:
    state.commands.append(WagerAlert(wager.seat, wager.spot, alert_text(wager.seat, wager.spot, what)))


def amount_fault(state: State, spot: str, cents: int) -> str:
    """Why an amount is not allowed on a spot; empty if it is."""
    options = state.game.options
    least, most = options.limit(spot)
    if cents < least:
        return f"of {amount_text(cents)} is under the minimum of {amount_text(least)}"
    if most is not None and cents > most:
        return f"of {amount_text(cents)} is over the maximum of {amount_text(most)}"
    if cents % options.chip:
        return f"of {amount_text(cents)} is not a multiple of the chip, {amount_text(options.chip)}"
    return ""


def _differs(state: State, wager: Wager) -> bool:
    """Whether the spot holds less than was latched, or more than the doubles and splits explain."""
    least = standing_cents(state, wager.seat, wager.spot)
    if wager.cents is None or least is None:
        return False
    if wager.spot not in state.game.hand_spots:
        return wager.cents != least
    more = added_cents(state.game, state.layout.seats[wager.seat])
    return wager.cents < least or (
        more is not None and wager.cents > least + more + _adding(state, wager.seat)
    )


def _adding(state: State, number: int) -> int:
    """Cents that a seat may lay down now to double or split. Players do so before the dealer presses the
    key."""
    at = turn(state) if state.phase in PLAYED else None
    if at is None or at.seat != number or ADDS.isdisjoint(state.game.choices(state.layout, at)):
        return 0
    return hand(state, at).bet or 0


def _faults(state: State) -> Iterator[tuple[int, str]]:
    for number, seat in sorted(state.layout.seats.items()):
        if number == state.bank:
            yield number, f"{', '.join(seat.wagers)} on the seat that banks this round"
        for fault in state.game.faults(seat.wagers):
            yield number, fault
        for spot, cents in seat.wagers.items():
            if cents is not None and (fault := amount_fault(state, spot, cents)):
                yield number, f"{spot} {fault}"
