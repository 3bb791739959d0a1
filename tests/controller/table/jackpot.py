"""A table with a jackpot."""

from controller.table.record.events import ClaimStep, Supervisor
from controller.table.record.notes import MeterMoved, Note
from controller.table.record.rules import Progressive
from tests.fixtures.device_inputs import Script
from tests.fixtures.state_table import StateTable, of_kind

SPOT = "blazing-7s"
SEED = 1_000_000
VOID = Supervisor("void", "Ann", "seen", None, "Bob")
PAID = (
    ClaimStep(1, "confirm", "Dee", "seen"),
    ClaimStep(1, "verify", "Sue", "seen"),
    ClaimStep(1, "pay", "Pat", "paid"),
)
IN = "1:main=500 2:main=500 1:blazing-7s=100 2:blazing-7s=100 close"
LOSES = "9h 9d 9s 9c 9h 7s"
"""Both seats have 18 to the dealer's 16; nobody has a 7."""


def table(**options: object) -> StateTable:
    return StateTable("blackjack-x", **options)


def moved(notes: list[Note]) -> list[tuple[str, int, int]]:
    return [
        (note.kind, note.before, note.after)
        for note in of_kind(MeterMoved, notes)
        if isinstance(note, MeterMoved)
    ]


def shown(table: StateTable) -> int:
    return table.state.meters[SPOT].cents


def with_jackpot(fed: Progressive) -> StateTable:
    state_table = table()
    state_table.script = Script("blackjack-x", jackpots={SPOT: fed})
    state_table.begin()
    return state_table
