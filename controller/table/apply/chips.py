"""Chips on the felt that are not wagers: they raise an alert, and never become a wager by themselves.

A spot that opens after the deal takes wagers that are laid while it is open. What lay there before is lifted
and laid down again, as a dealer would ask a player to.
"""

from collections.abc import Iterator

from controller.games.game import Invitation
from controller.round.betting import EARLY, alert_text
from controller.round.state import added_cents, seat_wagers
from controller.table.record.causes import cause, kind_of
from controller.table.state.table_state import TableState

LEFT = "seat {seat}: {spot} chips lay there before it opened: lift them and lay them down again for a wager"
OVER = "seat {seat}: more lies on {spot} than is wagered"

UNPLAYED = "Seat {seat}, {spot}, is not in play: the chips there are no wager"


def betting_closed(state: TableState) -> None:
    """Betting has closed: chips on spots that open later are not wagers."""
    for seat, place in sorted(state.chips):
        spot = _name(state, place)
        if spot in state.game.late and seat <= state.rules.seats:
            _alert_once(state, alert_text(seat, spot, EARLY))


def refuse_earlier_chips(state: TableState, seat: int, place: int, cents: int) -> bool:
    """Whether a sensor reports chips that lay on a spot before it opened. They are not a wager."""
    spot = _name(state, place)
    if spot not in state.round.invited.get(seat, ()):
        return False
    state.chips[seat, place] = cents
    _alert_once(state, LEFT.format(seat=seat, spot=spot))
    return True


def check_round(state: TableState) -> None:
    """After each event of the round: a window may have opened, or a seat may have acted for the last time."""
    played = state.round
    window, turn = played.invited if played.phase == "offering" else None, played.turn
    course = state.round_log
    if window is not course.window:
        course.window = window
        for seat, spot in _chips_beyond_wagers(state, window or {}):
            _alert_once(state, LEFT.format(seat=seat, spot=spot))
    acting = turn.seat if turn else 0
    if acting != course.acting_seat:
        before, course.acting_seat = course.acting_seat, acting
        for spot in _chips_beyond_hands(state, before):
            _alert_once(state, OVER.format(seat=before, spot=spot))


def alert_unplayed_spots(state: TableState) -> None:
    """After each input: raise an alert for each spot that has chips but is not in the rules in force."""
    if not state.coming.unplayed:
        return
    lying = {
        cause("unplayed", seat, place): UNPLAYED.format(
            seat=seat, spot=_name(state, place) or f"spot {place}"
        )
        for seat, place in sorted(state.chips)
        if not (state.plays(seat, place) or _is_latched(state, seat, place))
    }
    for about in [about for about in state.standing if kind_of(about) == "unplayed" and about not in lying]:
        del state.standing[about]
    for about, text in lying.items():
        state.set_standing(about, text)


def _chips_beyond_wagers(state: TableState, window: Invitation) -> Iterator[tuple[int, str]]:
    """Spots of a window with more chips than wagers."""
    for seat, spots in window.items():
        for spot in sorted(spots):
            cents = state.chips.get((seat, state.game.spots.index(spot)))
            if cents is None:
                continue
            stands = any(spot in on for on in seat_wagers(state.round.seats[seat]))
            if not stands or cents > (state.round.standing(seat, spot) or cents):
                yield seat, spot


def _chips_beyond_hands(state: TableState, number: int) -> Iterator[str]:
    """Spots of a seat's hands with more chips than its wagers, its doubles and its splits."""
    seat = state.round.seats.get(number)
    if seat is None:
        return
    more = added_cents(state.game, seat)
    if more is None:
        return
    for spot in state.game.hand_spots:
        cents = state.chips.get((number, state.game.spots.index(spot)), 0)
        if cents > (seat.wagers[spot] or cents) + more:
            yield spot


def _is_latched(state: TableState, seat: int, place: int) -> bool:
    """Whether the chips are a wager of the round in play, which counts even if its spot is closed by now."""
    played = state.round.seats.get(seat) if state.underway else None
    return played is not None and _name(state, place) in played.wagers


def _name(state: TableState, place: int) -> str:
    return state.game.spots[place] if place < len(state.game.spots) else ""


def _alert_once(state: TableState, text: str) -> None:
    """Raise each alert once in a round: it stays on the page."""
    if text not in state.alerts:
        state.alert(cause("wager", state.number), text)
