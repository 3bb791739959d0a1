"""Check claims and meters along a journal.

A claim takes only allowed steps, is about the same share all the time, and is signed by enough persons. Each
movement of a meter begins where the last one of its spot ended, the books balance, and snapshots agree.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, cast

from controller.jackpot import BINDING, OPEN, UNITS, Books, Claim, Unbalanced
from controller.jackpot.claims import MOVES
from controller.money import text
from controller.past.verify.findings import Findings
from controller.table.record.codec import from_json
from controller.table.record.notes import MeterMoved
from controller.text.characters import same_name

FIXED = ("spot", "round", "seat", "cents")
DIFFERENT_PERSONS = ("dealer", "supervisor", "second")
"""The roles in which different persons must sign."""
ALLOWED_STEPS = {(move.source, move.dest) for move in MOVES} | {(state, "void") for state in OPEN - BINDING}
"""A claim that is not binding yet also becomes void with its round."""


@dataclass(slots=True)
class ClaimHistory:
    """`first` and `last`: the first and the last row of each claim, with what it says, by number."""

    first: dict[int, tuple[int, Claim]] = field(default_factory=dict)
    last: dict[int, tuple[int, Claim]] = field(default_factory=dict)

    def read(self, row: int, claim: Claim, findings: Findings) -> None:
        """A row of kind "claim"."""
        self.first.setdefault(claim.number, (row, claim))
        for what in (*wrong_steps(self.last.get(claim.number), claim), *_wrong_signatures(claim)):
            findings.add("claim", row, what)
        self.last[claim.number] = (row, claim)


def wrong_steps(before: tuple[int, Claim] | None, claim: Claim) -> Iterator[str]:
    """What is wrong with a step, after the row before it."""
    if before is None:
        return
    row, was = before
    for name in FIXED:
        if name == "cents" and not was.decided:
            continue
        if getattr(was, name) != getattr(claim, name):
            now, should = getattr(claim, name), getattr(was, name)
            yield f"claim {claim.number} is of {name} {now}; by row {row} it should be {should}"
    decides = claim.decided and not was.decided and was.state == claim.state
    if (was.state, claim.state) not in ALLOWED_STEPS and not decides:
        yield f"claim {claim.number} is {claim.state}; by row {row} it was {was.state}"


def _wrong_signatures(claim: Claim) -> Iterator[str]:
    signed = [(role, getattr(claim, role)) for role in DIFFERENT_PERSONS if getattr(claim, role)]
    for (role, one), (other_role, other) in combinations(signed, 2):
        if same_name(one, other):
            yield f"claim {claim.number}: {one} is its {role} and its {other_role}; it takes two persons"
    if claim.state in BINDING and not claim.decided:
        yield f"claim {claim.number} is {claim.state}; {claim.level} has not decided its amount"
    if claim.state == "paid" and not (claim.supervisor and (claim.second or not claim.by_two)):
        missing = "a second person" if claim.supervisor else "a supervisor"
        yield f"claim {claim.number}, {text(claim.cents)}, is paid without {missing}"


FALLS = frozenset({"lock", "win"})
"""The kinds of movements by which a won share leaves the meter."""


@dataclass(frozen=True, slots=True)
class MeterState:
    """What a meter showed after a row, in cents. `books` None: an older version did not write them."""

    row: int
    cents: int
    books: Books | None


@dataclass(slots=True)
class MeterHistory:
    """`first`: the state before the first row of each spot, to be compared with the part before; `last`: the
    current state; `won`: by how much each meter fell for shares in the round in play, None if a person
    corrected it."""

    first: dict[str, MeterState] = field(default_factory=dict)
    last: dict[str, MeterState] = field(default_factory=dict)
    movements: int = 0
    won: dict[str, int | None] = field(default_factory=dict)

    def read(self, row: int, body: bytes, findings: Findings) -> None:
        """A row of kind "meter"."""
        try:
            note = cast("MeterMoved", from_json(MeterMoved, json.loads(body)))
        except Unbalanced as error:
            findings.add("meter", row, f"the books do not balance: {error}")
            self._forget(body)
            return
        self.movements += 1
        before = MeterState(row, note.before, None)
        self._compare(note.spot, before, findings)
        for what in _illegal_movements(note, self.last.get(note.spot)):
            findings.add("meter", row, f"jackpot {note.spot}: {what}")
        self.last[note.spot] = MeterState(row, note.after, note.books)
        self._count(note)

    def read_snapshot(self, row: int, meters: dict[str, Any], findings: Findings) -> None:
        """Compare a snapshot of all meters."""
        for spot, value in meters.items():
            try:
                books = cast("Books", from_json(Books, value))
            except Unbalanced as error:
                findings.add("meter", row, f"jackpot {spot}: the books do not balance: {error}")
                continue
            reading = MeterState(row, books.display // UNITS, books)
            self._compare(spot, reading, findings)
            self.last[spot] = reading

    def end_round(self) -> dict[str, int | None]:
        """Returns `won` of the round that has ended, and begins the next."""
        won, self.won = self.won, {}
        return won

    def _count(self, note: MeterMoved) -> None:
        won = self.won.get(note.spot, 0)
        if note.kind == "correction" or won is None:
            self.won[note.spot] = None
        elif note.kind in FALLS:
            self.won[note.spot] = won + note.before - note.after

    def _compare(self, spot: str, reading: MeterState, findings: Findings) -> None:
        self.first.setdefault(spot, reading)
        if what := difference(self.last.get(spot), reading):
            findings.add("meter", reading.row, f"jackpot {spot} {what}")

    def _forget(self, body: bytes) -> None:
        """After a row that makes no sense, the state of its spot is unknown."""
        self.last.pop(json.loads(body)["spot"], None)


def difference(last: MeterState | None, reading: MeterState) -> str:
    """How a state differs from the last one; empty: it does not."""
    if last is None:
        return ""
    if last.cents != reading.cents:
        return f"is at {text(reading.cents)}; by row {last.row} it should be at {text(last.cents)}"
    if last.books and reading.books and last.books != reading.books:
        return f"has the books {reading.books}; by row {last.row} they should be {last.books}"
    return ""


def _illegal_movements(note: MeterMoved, last: MeterState | None) -> Iterator[str]:
    """What is impossible in one movement."""
    if note.books is None:
        return
    shown = note.books.display // UNITS
    if shown != note.after:
        yield f"moved to {text(note.after)}; its books show {text(shown)}"
    before = last.books if last else None
    if before is None:
        return
    for name in ("paid", "contributions"):
        was, now = getattr(before, name), getattr(note.books, name)
        if now < was and note.kind != "correction":
            yield f"{name} are {now} units, {note.kind}; they should be at least {was}"
