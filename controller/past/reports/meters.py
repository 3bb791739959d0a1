"""What the meters did in a period, and whether the books agree at its end."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import get_args

from controller.jackpot import UNITS, Books
from controller.past.reports.facts import Facts, MeterReading
from controller.table.record.notes import MeterMoved
from controller.table.record.notes import MeterMoveKind as MoveKind

KINDS: tuple[MoveKind, ...] = get_args(MoveKind)
POTS = ("contributions", "seeds", "display", "locked", "reserve", "overflow", "paid")
"""The parts of the books. The first two, where units come from, must be equal to the others, where they
are."""


@dataclass(frozen=True, slots=True)
class MeterReport:
    """One jackpot, in cents. `moved`: the change by each kind of movement; `elsewhere`: the change by rows of
    other periods in between; `pots`: the exact increase of each part of the books, empty if an older version
    wrote none; `faults`: what does not fit, a sentence each."""

    spot: str
    begins: int
    ends: int
    moved: Mapping[str, int]
    counts: Mapping[str, int]
    shares: int
    """The number of won shares."""
    elsewhere: int
    pots: Mapping[str, Fraction]
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """A claim that was hit or took a step in the period, after its last step in it."""

    number: int
    spot: str
    round: int
    seat: int
    hit: str
    cents: int
    state: str
    paid: int


def meter_reports(facts: Facts) -> tuple[MeterReport, ...]:
    return tuple(_meter(facts, spot) for spot in sorted(facts.ended))


def claim_reports(facts: Facts) -> tuple[ClaimReport, ...]:
    return tuple(
        ClaimReport(
            claim.number,
            claim.spot,
            claim.round,
            claim.seat,
            claim.hit,
            claim.cents,
            claim.state,
            facts.paid.get(claim.number, 0),
        )
        for _, claim in sorted(facts.claims.items())
    )


def _meter(facts: Facts, spot: str) -> MeterReport:
    end = facts.ended[spot]
    begin = facts.began.get(spot, end)
    notes = [each.note for each in facts.movements if each.note.spot == spot]
    moved: dict[str, int] = {
        kind: sum(_change(note) for note in notes if note.kind == kind) for kind in KINDS
    }
    shares = sum(note.kind in ("lock", "win") and _change(note) != 0 for note in notes)
    tallied: dict[str, int] = {kind: sum(note.kind == kind for note in notes) for kind in KINDS}
    elsewhere = facts.elsewhere.get(spot, 0)
    pots = _pots(begin, end)
    off = end.cents - begin.cents - sum(moved.values()) - elsewhere
    faults = tuple(_faults(spot, off, pots))
    return MeterReport(spot, begin.cents, end.cents, moved, tallied, shares, elsewhere, pots, faults)


def _change(note: MeterMoved) -> int:
    return note.after - note.before


def _pots(begin: MeterReading, end: MeterReading) -> dict[str, Fraction]:
    if begin.books is None or end.books is None:
        return {}
    return {pot: Fraction(_units(end.books, pot) - _units(begin.books, pot), UNITS) for pot in POTS}


def _units(books: Books, pot: str) -> int:
    return int(getattr(books, pot))


def _faults(spot: str, off: int, pots: Mapping[str, Fraction]) -> Iterator[str]:
    if off:
        yield f"{spot}: the meter is {off} cents off from what its movements come to"
    came = sum((pots.get(pot, Fraction(0)) for pot in POTS[:2]), Fraction(0))
    there = sum((pots.get(pot, Fraction(0)) for pot in POTS[2:]), Fraction(0))
    if came != there:
        yield f"{spot}: {came} cents came and {there} cents are there or were paid"
