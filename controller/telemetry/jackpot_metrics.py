"""Metrics of jackpots and their claims. The label `kind` is the spot, or the state of the claims."""

from collections.abc import Iterator
from typing import get_args

from controller.jackpot import UNITS
from controller.jackpot.claims import OPEN, State
from controller.table.state.table_state import TableState
from controller.telemetry.prometheus.family import Family, labelled

BOOKS: tuple[tuple[str, str, str, int], ...] = (
    # field of the books, metric, help, divisor; all are gauges, because a void round reverses its amounts
    ("locked", "tableside_jackpot_locked_cents", "Won and not paid yet, in cents", UNITS),
    ("reserve", "tableside_jackpot_reserve_cents", "Kept for the next seed, in cents", UNITS),
    ("overflow", "tableside_jackpot_overflow_cents", "Contributed over the limit, in cents", UNITS),
    ("contributions", "tableside_jackpot_contributed_cents", "Contributed by all wagers, in cents", UNITS),
    ("seeds", "tableside_jackpot_seeded_cents", "Put in by the house, in cents", UNITS),
    ("paid", "tableside_jackpot_paid_cents", "Paid to winners, in cents", UNITS),
    ("wins", "tableside_jackpot_won_cents", "Won, paid or not yet, in cents", UNITS),
    ("wagers", "tableside_jackpot_wagers", "Wagers that contributed", 1),
    ("wagered", "tableside_jackpot_wagered_cents", "Stakes of those wagers, in cents", 1),
    ("hits", "tableside_jackpot_hits", "Won shares", 1),
)
STATES = tuple(state for state in get_args(State) if state in OPEN)


def families(state: TableState) -> Iterator[Family]:
    """The metrics of the current game's jackpots, and of all open claims. The books are the table's own, also
    those of a spot that plays for a linked jackpot."""
    meters = {(spot,): state.meters[spot] for spot in state.game.meters}
    amounts = ((spot, state.jackpot_cents(spot[0])) for spot in meters)
    yield labelled("gauge", "tableside_jackpot_cents", "What is played for, in cents", ("kind",), amounts)
    for part, name, help_text, units in BOOKS:
        values = ((spot, getattr(meter.books, part) / units) for spot, meter in meters.items())
        yield labelled("gauge", name, help_text, ("kind",), values)
    yield labelled(
        "gauge",
        "tableside_jackpot_parameters_pending",
        "1 while new parameters wait until it is won",
        ("kind",),
        ((spot, meter.pending is not None) for spot, meter in meters.items()),
    )
    yield labelled(
        "gauge",
        "tableside_claims",
        "Open claims by state",
        ("kind",),
        (((name,), sum(claim.state == name for claim in state.register.open)) for name in STATES),
    )
