"""The lamps of all spots as a function of the table's state."""

from collections.abc import Mapping

from controller.games.layout import Outcome, Settlement
from controller.round.state import seat_wagers
from controller.table.apply.claims import claim_spot
from controller.table.state.table_state import TableState
from drivers.protocol.codes import LAMPS, SPOTS_PER_SEAT, Lamp

DECIDED: dict[Outcome, Lamp] = {"win": Lamp.WIN, "push": Lamp.LATCHED, "lose": Lamp.NO_BETS}
"""What a spot shows once its wager is settled."""
SHARE_SUFFIX = "%"
"""The last character of a settlement's `pays` if it is a share of a jackpot."""
RANKING = (Lamp.NO_BETS, Lamp.LATCHED, Lamp.WIN, Lamp.JACKPOT)
"""If a spot has several wagers, its lamp shows the one that comes last in this order."""
SPOTLESS: Mapping[str, tuple[str, ...]] = {"insurance": ()}
"""The spots of wagers that do not lie on a spot of the sensors: none."""

OFF = bytes([Lamp.OFF])
CLOSED = bytes([Lamp.NO_BETS])
OPEN = bytes([Lamp.OPEN])


def lamps(state: TableState) -> bytes:
    """The 54 lamps, one byte (codes.Lamp) each, at 6 x (seat - 1) + spot.

    Spots that take wagers are open; after "no more bets" spots with wagers are latched; at settlement each
    shows its result. A won jackpot is shown until its claim is closed. A lamp test replaces all of this.
    """
    if state.testing and state.testing.pattern != "none":
        return state.testing.lamps
    pattern = bytearray((_idle(state).ljust(SPOTS_PER_SEAT, OFF) * state.rules.seats).ljust(LAMPS, OFF))
    if state.round.bank:
        _close(state, pattern, state.round.bank)
    if state.underway:
        _latch(state, pattern)
        _invite(state, pattern)
        _decide(state, pattern)
    for claim in state.register.open:
        if on := claim_spot(state, claim):
            pattern[SPOTS_PER_SEAT * (on[0] - 1) + on[1]] = Lamp.JACKPOT
    for seat, place in state.faulty_spots:
        pattern[SPOTS_PER_SEAT * (seat - 1) + place] = Lamp.FAULT
    return bytes(pattern)


def _idle(state: TableState) -> bytes:
    """The lamps of a seat's spots before wagers, windows and results are drawn over them."""
    stops = state.halted or state.underway
    return b"".join(_idle_spot(state, spot, closed=stops) for spot in state.game.spots)


def _idle_spot(state: TableState, spot: str, *, closed: bool) -> bytes:
    """The spot of a linked jackpot that may not be played is dark."""
    if not state.is_open(spot):
        return OFF
    return CLOSED if closed or spot in state.game.late else OPEN


def _close(state: TableState, pattern: bytearray, seat: int) -> None:
    """The seat that banks the round has no wagers."""
    begin, spots = SPOTS_PER_SEAT * (seat - 1), len(state.game.spots)
    pattern[begin : begin + spots] = CLOSED * spots


def _latch(state: TableState, pattern: bytearray) -> None:
    for number, seat in state.round.seats.items():
        for on in seat_wagers(seat):
            for spot in on.keys() - SPOTLESS.keys():
                pattern[_place(state, number, spot)] = Lamp.LATCHED


def _invite(state: TableState, pattern: bytearray) -> None:
    """Light the spots that a window is open for, unless play is halted."""
    for number, spots in () if state.halted else state.round.invited.items():
        for spot in spots:
            pattern[_place(state, number, spot)] = Lamp.OPEN


def _decide(state: TableState, pattern: bytearray) -> None:
    best: dict[int, int] = {}
    for line in state.round.settlements:
        rank = RANKING.index(_decided(state, line))
        for place in _places(state, line):
            best[place] = max(rank, best.get(place, 0))
    for place, rank in best.items():
        pattern[place] = RANKING[rank]


def _decided(state: TableState, line: Settlement) -> Lamp:
    """The lamp of a settled line. The claim of a won share lights its lamp; under the rules of older
    versions, without claims, the line does."""
    unclaimed = not state.rules.claims and line.pays and line.pays.endswith(SHARE_SUFFIX)
    return Lamp.JACKPOT if unclaimed else DECIDED[line.outcome]


def _places(state: TableState, line: Settlement) -> tuple[int, ...]:
    """The lamps of a line's wager. A wager without a spot of its own is shown on the spots of the hand."""
    game = state.game
    spots = (line.wager,) if line.wager in game.spots else SPOTLESS.get(line.wager, game.hand_spots)
    return tuple(_place(state, line.seat, spot) for spot in spots)


def _place(state: TableState, seat: int, spot: str) -> int:
    return SPOTS_PER_SEAT * (seat - 1) + state.game.spots.index(spot)
