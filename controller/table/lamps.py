"""The lamps of all spots as a function of the table's state."""

from controller.games.layout import Outcome
from controller.table.state import TableState
from drivers.protocol.codes import LAMPS, SPOTS_PER_SEAT, Lamp

DECIDED: dict[Outcome, Lamp] = {"win": Lamp.WIN, "push": Lamp.LATCHED, "lose": Lamp.NO_BETS}
"""What a spot shows once its wager is settled."""

OFF = bytes([Lamp.OFF])


def lamps(state: TableState) -> bytes:
    """54 lamps (codes.Lamp) at 6 x (seat - 1) + spot: open spots invite; after "no more bets" those who are
    in are latched; at settlement winners are lit."""
    spots = state.game.spots
    idle = _idle(state) * len(spots)
    shown = bytearray((idle.ljust(SPOTS_PER_SEAT, OFF) * state.rules.seats).ljust(LAMPS, OFF))
    for seat, laid in state.round.seats.items() if state.underway else ():
        for spot in laid.wagers:
            shown[SPOTS_PER_SEAT * (seat - 1) + spots.index(spot)] = Lamp.LATCHED
    for line in reversed(state.round.settlements):
        shown[SPOTS_PER_SEAT * (line.seat - 1) + spots.index(line.wager)] = DECIDED[line.outcome]
    for seat, place in state.faults:
        shown[SPOTS_PER_SEAT * (seat - 1) + place] = Lamp.FAULT
    return bytes(shown)


def _idle(state: TableState) -> bytes:
    """A spot that no wager is latched on."""
    return bytes([Lamp.NO_BETS if state.halted or state.underway else Lamp.OPEN])
