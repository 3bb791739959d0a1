"""What jackpots' meters did in a period, and whether the books say the same at its end."""

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
"""Where the units of a jackpot come from and are; what came is where it is: the first two together are the
others together."""


@dataclass(frozen=True, slots=True)
class MeterReport:
    """One jackpot, in cents. `moved`: by how much each kind of movement changed what it shows; `elsewhere`:
    what rows of other periods between did; `pots`: by how many cents each part of the books is more, exact;
    empty where an older version kept no books. `faults`: what does not fit, each in a sentence."""

    spot: str
    begins: int
    ends: int
    moved: Mapping[str, int]
    counts: Mapping[str, int]
    shares: int
    """So many were won."""
    elsewhere: int
    pots: Mapping[str, Fraction]
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """A claim that somebody took a step on, or that was hit, as it was after the last step of the period."""

    number: int
    spot: str
    round: int
    seat: int
    hit: str
    cents: int
    state: str
    paid: int
    """Cents that were paid in the period."""


def meter_reports(facts: Facts) -> tuple[MeterReport, ...]:
    """Each jackpot that there was."""
    return tuple(_meter(facts, spot) for spot in sorted(facts.ended))


def claim_reports(facts: Facts) -> tuple[ClaimReport, ...]:
    """In the order of their numbers."""
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
