"""Betting: spots accept wagers until the dealer says "no more bets"; afterwards they only raise alerts."""

from collections.abc import Iterator

from controller.games.layout import Hand, Seat
from controller.money import text
from controller.round.commands import Alert
from controller.round.events import Key, Refused, Wager
from controller.round.state import DEALER, Due, State

CLOSE = frozenset({"close"})


def due(state: State) -> Due:
    """What stands in the way of closing, else how much is wagered."""
    for seat, fault in _faults(state):
        return Due(fault, seat)
    count = sum(len(seat.wagers) for seat in state.layout.seats.values())
    return Due(f"Place your bets: {count} wager{'s' * (count != 1)}" if count else "Place your bets")


def keys(state: State) -> frozenset[str]:
    """Closing, once every wager may stand."""
    closes = state.layout.seats and not any(_faults(state))
    return CLOSE if closes else frozenset()


def close(state: State, key: Key) -> None:
    """Latches the wagers and lays out a hand for each; refused with every fault at once."""
    if key.action != "close":
        raise Refused(f"{key.action} is not possible: betting is open")
    if not state.layout.seats:
        raise Refused("betting does not close: there is no wager")
    if faults := [fault for _, fault in _faults(state)]:
        raise Refused(f"betting does not close: {'; '.join(faults)}")
    seats = sorted(state.layout.seats.items())
    state.layout.seats = {number: Seat(seat.wagers, (Hand(),)) for number, seat in seats}
    active = tuple(state.layout.seats)
    state.deal = tuple(
        place for step in state.game.deal for place in (active if step == "seats" else (DEALER,))
    )


def place(state: State, wager: Wager) -> None:
    """What stands on an open spot now."""
    seats = state.layout.seats
    wagers = dict(seats[wager.seat].wagers) if wager.seat in seats else {}
    wagers.pop(wager.spot, None)
    if wager.present:
        wagers[wager.spot] = wager.cents
    seats.pop(wager.seat, None)
    if wagers:
        seats[wager.seat] = Seat(wagers)


def guard(state: State, wager: Wager) -> None:
    """Raises an alert when a spot differs from what was latched."""
    seat = state.layout.seats.get(wager.seat)
    latched = seat is not None and wager.spot in seat.wagers
    if not latched and wager.present:
        _alert(state, wager, "appeared after betting closed")
    elif seat is not None and latched and not wager.present:
        _alert(state, wager, "vanished after betting closed")
    elif seat is not None and latched and _differs(wager.cents, seat.wagers[wager.spot]):
        _alert(state, wager, "changed after betting closed")


def _differs(seen: int | None, latched: int | None) -> bool:
    return seen is not None and latched is not None and seen != latched


def _alert(state: State, wager: Wager, what: str) -> None:
    state.commands.append(Alert(wager.seat, wager.spot, f"seat {wager.seat}: a {wager.spot} wager {what}"))


def _faults(state: State) -> Iterator[tuple[int, str]]:
    first = state.game.spots[0]
    for number, seat in sorted(state.layout.seats.items()):
        if first not in seat.wagers:
            yield number, f"Seat {number}: {', '.join(seat.wagers)} needs a {first} wager"
        for spot, cents in seat.wagers.items():
            if cents is not None and (fault := _unfit(state, spot, cents)):
                yield number, f"Seat {number}: {spot} {fault}"


def _unfit(state: State, spot: str, cents: int) -> str:
    options = state.game.options
    least, most = options.limits.get(spot, (cents, cents))
    if cents < least:
        return f"of {text(cents)} is under the minimum of {text(least)}"
    if cents > most:
        return f"of {text(cents)} is over the maximum of {text(most)}"
    if cents % options.chip:
        return f"of {text(cents)} is no multiple of the chip, {text(options.chip)}"
    return ""
