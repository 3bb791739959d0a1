"""The jackpots' meters along a history: each movement begins where the last one of its spot ended, the books
balance, and the snapshots say the same."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from controller.jackpot import UNITS, Books, Unbalanced
from controller.money import text
from controller.table.notes import MeterMoved
from controller.table.records import whole
from controller.verify.findings import Findings

FALLS = frozenset({"lock", "win"})
"""Kinds of movements by which a won share leaves what is played for."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a meter showed, in cents, by which row; `books` None: an older version did not write them."""

    row: int
    cents: int
    books: Books | None


@dataclass(slots=True)
class Meters:
    """`first`: what the first row of each spot begins with, to be held against the part before; `last`: what
    each spot shows now; `won`: by how much each fell for shares in the round in play, None where a person
    corrected it."""

    first: dict[str, Reading] = field(default_factory=dict)
    last: dict[str, Reading] = field(default_factory=dict)
    movements: int = 0
    won: dict[str, int | None] = field(default_factory=dict)

    def moved(self, row: int, body: bytes, findings: Findings) -> None:
        """A row of kind "meter"."""
        try:
            note = cast("MeterMoved", whole(MeterMoved, json.loads(body)))
        except Unbalanced as error:
            findings.add("meter", row, f"the books do not balance: {error}")
            self._lose(body)
            return
        self.movements += 1
        before = Reading(row, note.before, None)
        self._hold(note.spot, before, findings)
        for what in _illegal(note, self.last.get(note.spot)):
            findings.add("meter", row, f"jackpot {note.spot}: {what}")
        self.last[note.spot] = Reading(row, note.after, note.books)
        self._count(note)

    def snapshot(self, row: int, told: dict[str, Any], findings: Findings) -> None:
        """What a snapshot says of all meters."""
        for spot, value in told.items():
            try:
                books = cast("Books", whole(Books, value))
            except Unbalanced as error:
                findings.add("meter", row, f"jackpot {spot}: the books do not balance: {error}")
                continue
            reading = Reading(row, books.display // UNITS, books)
            self._hold(spot, reading, findings)
            self.last[spot] = reading

    def ended(self) -> dict[str, int | None]:
        """`won` of the round that has ended."""
        won, self.won = self.won, {}
        return won

    def _count(self, note: MeterMoved) -> None:
        won = self.won.get(note.spot, 0)
        if note.kind == "correction" or won is None:
            self.won[note.spot] = None
        elif note.kind in FALLS:
            self.won[note.spot] = won + note.before - note.after

    def _hold(self, spot: str, reading: Reading, findings: Findings) -> None:
        """It goes on from the last one."""
        self.first.setdefault(spot, reading)
        if what := differs(self.last.get(spot), reading):
            findings.add("meter", reading.row, f"jackpot {spot} {what}")

    def _lose(self, body: bytes) -> None:
        """What a spot shows is not known any more."""
        self.last.pop(json.loads(body)["spot"], None)


def differs(last: Reading | None, reading: Reading) -> str:
    """What is wrong where a meter is said to show something, behind what was said before; empty: nothing."""
    if last is None:
        return ""
    if last.cents != reading.cents:
        return f"is at {text(reading.cents)}; by row {last.row} it should be at {text(last.cents)}"
    if last.books and reading.books and last.books != reading.books:
        return f"has the books {reading.books}; by row {last.row} they should be {last.books}"
    return ""


def _illegal(note: MeterMoved, last: Reading | None) -> Iterator[str]:
    """What cannot be, in one movement."""
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
