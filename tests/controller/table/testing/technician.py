"""A technician in test mode, and a table for it."""

from controller.table.record import events
from controller.table.state.table_state import TableState
from controller.table.state.test_session import Pattern
from controller.table.state_machine import apply, begin
from tests.fixtures.device_inputs import DEVICES, Script

NAMES = {**DEVICES, "shuffler": "SHUFFLER-1", "display": "DISPLAY-1"}
AFTERNOON = 1_795_190_400.0
TOLD = "Tim since 2026-11-20 16:00 UTC"


def enters(who: str = "Tim") -> events.TestMode:
    return events.TestMode(True, who, "seat 3 was dark")


def leaves(who: str = "Tim") -> events.TestMode:
    return events.TestMode(False, who, "lamp exchanged")


def lights(pattern: Pattern, seen: str = "") -> events.LampTest:
    return events.LampTest(pattern, "Tim", seen)


def reports(seat: int, spot: str, *, works: bool = False) -> events.LampReported:
    return events.LampReported(seat, spot, works, "Tim")


def betting(script: Script) -> TableState:
    """A table where seats 1 and 2 have laid their chips."""
    state = begin(script.started())
    decks = state.game.options.decks
    for event in (*script.opening(), script.loaded(decks), script.bet(1), script.bet(2, 0, 1500)):
        apply(state, event, AFTERNOON)
    return state


def dealing(script: Script) -> TableState:
    """Betting has closed, and a card is out."""
    state = betting(script)
    for event in (script.key("close"), script.card("7h")):
        apply(state, event, AFTERNOON)
    return state
