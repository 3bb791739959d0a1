"""Compares one gaming day: the wagers in the rows of each table with the progressive's meters, and the claims
of both.

A table's rows may come hours after its readings: a round in play stays at the table, and a table may be apart
from the floor. So everything is compared only as far as rows are stored and entries are read, and the rest is
said to wait. A wager is compared at the row by which the table had recorded the progressive's reading.
"""

from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from controller.calendar import Period
from controller.currency import UNNAMED, Currency
from controller.floor.day_file import DayReader, FloorHead, JournalName
from controller.floor.reconciliation.ledger import FILE, DayMarks, LedgerClaim, LedgerReader, MeterMark
from controller.floor.store import FloorArchive
from controller.jackpot.linked.wire import Tally

ENDS: Final = frozenset({"paid", "void"})
OPEN: Final = "open"
ABSENT: Final = ""
"""The state of a claim that one side does not have."""
_READING: Final = (
    "SELECT wagers - voided_wagers, wagered - voided FROM reading"
    " WHERE t = ? AND e = ? AND level = ? AND row <= ? ORDER BY row DESC LIMIT 1"
)
_HIT: Final = (
    "SELECT at, cents, step, n FROM hit WHERE t = ? AND e = ? AND round = ? AND seat = ? AND level = ?"
    " ORDER BY row DESC LIMIT 1"
)
_OWN: Final = (
    "SELECT level, t, e, round, seat, cents, step, max(n), max(row) FROM hit"
    " WHERE level <> '' AND n > 0 AND at >= ? AND at < ? GROUP BY level, t, e, round, seat"
)
_FIRST: Final = "SELECT min(first) FROM segment WHERE t = ? AND e = ?"
_NUMBERS: Final = "SELECT max(number) FROM round WHERE t = ? AND e = ?"


@dataclass(frozen=True, slots=True)
class MeterComparison:
    """One journal of a table at one level: wagers without void ones in the gaming day, up to `row`.

    `rows`: in the table's rows, None if nothing can be compared; `progressive`: what contributed; `waits`:
    what cannot be compared yet, or empty; `money`: the currency of the journal.
    """

    level: str
    table: str
    epoch: str
    row: int
    rows: Tally | None
    progressive: Tally
    waits: str
    money: Currency = UNNAMED

    @property
    def differs(self) -> bool:
        return self.rows is not None and self.rows != self.progressive

    @property
    def identity(self) -> tuple[object, ...]:
        """Equal for the same difference, however many wagers have come since."""
        return self.epoch, (self.rows or Tally()).minus(self.progressive)

    @property
    def text(self) -> str:
        """The two figures, in a sentence."""
        rows, counted = self.rows or Tally(), self.progressive
        return (
            f"up to row {self.row}, the rows have {rows.wagers} wagers of {self.money.text(rows.wagered)}, "
            f"the progressive {self.level} has {counted.wagers} of {self.money.text(counted.wagered)}"
        )


@dataclass(frozen=True, slots=True)
class ClaimComparison:
    """A claim. Minor units and state of each side: open, paid or void; an empty state for a side that does
    not have it. `waits`: why it cannot be compared yet, or empty; `money`: the currency of its journal."""

    level: str
    table: str
    claim: str
    row_cents: int
    row_state: str
    cents: int
    state: str
    waits: str
    money: Currency = UNNAMED

    @property
    def differs(self) -> bool:
        return not self.waits and (self.row_cents, self.row_state) != (self.cents, self.state)

    @property
    def identity(self) -> tuple[object, ...]:
        """Equal for the same difference."""
        return self.claim, self.row_cents, self.row_state, self.cents, self.state

    @property
    def text(self) -> str:
        """The two figures, in a sentence."""
        rows = _worded(self.row_cents, self.row_state, self.money)
        progressive = _worded(self.cents, self.state, self.money)
        return f"claim {self.claim}: the rows have {rows}, the progressive {self.level} has {progressive}"


@dataclass(frozen=True, slots=True)
class LevelSum:
    """The wagers of all tables at a level that have one currency, as far as they can be compared."""

    level: str
    money: Currency = UNNAMED
    rows: Tally = field(default_factory=Tally)
    progressive: Tally = field(default_factory=Tally)


@dataclass(frozen=True, slots=True)
class DayReconciliation:
    """A gaming day of all levels."""

    day: Period
    meters: tuple[MeterComparison, ...] = ()
    claims: tuple[ClaimComparison, ...] = ()

    def of_tables(self, tables: Collection[str]) -> "DayReconciliation":
        """The part about these tables."""
        return replace(
            self,
            meters=tuple(one for one in self.meters if one.table in tables),
            claims=tuple(one for one in self.claims if one.table in tables),
        )

    @property
    def levels(self) -> tuple[LevelSum, ...]:
        """A line for each level and currency, over all tables that can be compared."""
        sums = dict[tuple[str, str], LevelSum]()
        for one in self.meters:
            key = one.level, one.money.code
            known = sums.setdefault(key, LevelSum(one.level, one.money))
            if one.rows is not None:
                both = known.rows.plus(one.rows), known.progressive.plus(one.progressive)
                sums[key] = LevelSum(one.level, one.money, *both)
        return tuple(sums[key] for key in sorted(sums))

    @property
    def differences(self) -> tuple[MeterComparison | ClaimComparison, ...]:
        meters = (one for one in self.meters if one.differs)
        return (*meters, *(one for one in self.claims if one.differs))

    @property
    def waits(self) -> bool:
        """Whether something cannot be compared yet."""
        return any(one.waits for one in self.meters) or any(one.waits for one in self.claims)


def stored_reconciliation(archive: FloorArchive, folder: Path, day: Period) -> DayReconciliation:
    """With the ledger in `folder`; empty if there is none. Raises StoreError, sqlite3.Error."""
    if not (folder / FILE).exists():
        return DayReconciliation(day)
    with LedgerReader(folder) as ledger:
        return reconcile(archive, ledger, day)


def reconcile(archive: FloorArchive, ledger: LedgerReader, day: Period) -> DayReconciliation:
    """Raises StoreError, sqlite3.Error."""
    with ExitStack() as opened:
        files = [opened.enter_context(archive.open(found)) for found in reversed(archive.days())]
        rows = _StoredRows(files)
        meters = tuple(_compare_meters(rows, marks) for marks in ledger.marks(day))
        claims = [_compare_claim(rows, ledger, claim) for claim in ledger.claims(day)]
        claims += _unknown_claims(rows, ledger, day)
    return DayReconciliation(day, meters, tuple(claims))


@dataclass(frozen=True, slots=True)
class _StoredClaim:
    """What a table's rows say of a claim last; `n`: 0 until its cents are decided."""

    at: float
    cents: int
    step: str
    n: int

    @property
    def state(self) -> str:
        return self.step if self.step in ENDS else OPEN


class _StoredRows:
    """The files of the store, the newest first."""

    def __init__(self, files: list[DayReader]) -> None:
        self.files = files
        self.heads: dict[JournalName, FloorHead] = files[0].heads() if files else {}

    def money(self, name: JournalName) -> Currency:
        """The currency of a journal; UNNAMED if no row that is stored names one."""
        courses = (file.derived.course(name.key) for file in self.files)
        return next((course.money for course in courses if course.currency), UNNAMED)

    def wagers(self, name: JournalName, level: str, row: int) -> Tally | None:
        """The wagers without void ones since the journal began, as they were at a row; None if the rows
        before it are not stored."""
        for file in self.files:
            for fields in file.database.execute(_READING, (*name.key, level, row)):
                return Tally(*fields)
        return Tally() if self._first(name) == 1 else None

    def claim(self, claim: LedgerClaim) -> _StoredClaim | None:
        place = (*claim.name.key, claim.round, claim.seat, claim.level)
        for file in self.files:
            for fields in file.database.execute(_HIT, place):
                return _StoredClaim(*fields)
        return None

    def last_round(self, name: JournalName) -> int:
        """The number of the last round that is stored, 0 for none."""
        for file in self.files:
            for (number,) in file.database.execute(_NUMBERS, name.key):
                if number is not None:
                    return int(number)
        return 0

    def own_claims(self, day: Period) -> Iterator[tuple[str, JournalName, int, int, int, str, int]]:
        """The claims whose cents were decided, by the rows of the day: level, journal, round, seat, cents,
        step, entry."""
        for file in reversed(self.files):
            for level, table, epoch, *rest, _row in file.database.execute(_OWN, (day.begins, day.ends)):
                number, seat, cents, step, n = rest
                yield level, JournalName(table, epoch), number, seat, cents, step, n

    def _first(self, name: JournalName) -> int:
        firsts = [file.database.execute(_FIRST, name.key).fetchone()[0] for file in self.files]
        return min((first for first in firsts if first is not None), default=0)


def _compare_meters(rows: _StoredRows, marks: DayMarks) -> MeterComparison:
    name, level, currency = marks.name, marks.level, rows.money(marks.name)
    head = rows.heads.get(name)
    stored = head.row if head else 0
    mark = next((one for one in marks.hours if one.row <= stored), marks.before)
    latest = marks.hours[0]
    waits = f"the rows from {stored + 1} to {latest.row} have not arrived" if latest.row > stored else ""
    if mark is marks.before:
        return MeterComparison(level, name.table, name.epoch, 0, None, Tally(), waits, currency)
    ends = rows.wagers(name, level, mark.row)
    begins = rows.wagers(name, level, marks.before.row) if marks.before != MeterMark() else Tally()
    contributed = mark.counted.minus(marks.before.counted)
    if ends is None or begins is None:
        deleted = "rows from which it follows are not stored any more"
        return MeterComparison(level, name.table, name.epoch, 0, None, contributed, deleted, currency)
    found = ends.minus(begins), contributed, waits, currency
    return MeterComparison(level, name.table, name.epoch, mark.row, *found)


def _compare_claim(rows: _StoredRows, ledger: LedgerReader, claim: LedgerClaim) -> ClaimComparison:
    stored = rows.claim(claim)
    waits = _claim_waits(rows, ledger, claim, stored)
    cents, state = (stored.cents, stored.state) if stored else (0, ABSENT)
    of = claim.level, claim.name.table, claim.claim
    return ClaimComparison(*of, cents, state, claim.cents, claim.state, waits, rows.money(claim.name))


def _claim_waits(
    rows: _StoredRows, ledger: LedgerReader, claim: LedgerClaim, stored: _StoredClaim | None
) -> str:
    """Why the claim cannot be compared yet; empty if it can."""
    head = rows.heads.get(claim.name)
    if head is None or (stored is None and rows.last_round(claim.name) < claim.round):
        return "the rows of its round have not arrived"
    if stored is None:
        return ""
    if stored.n == 0:
        return "the table has not recorded the amount yet"
    if stored.state == OPEN and claim.ended is not None and head.at <= claim.ended:
        return f"the row of the table that says it is {claim.state} has not arrived"
    if claim.ended is None and stored.state != OPEN and ledger.place(claim.level).at <= stored.at:
        return f"the progressive has not yet decided that it is {stored.state}"
    return ""


def _unknown_claims(rows: _StoredRows, ledger: LedgerReader, day: Period) -> Iterator[ClaimComparison]:
    """Claims of tables that no progressive has decided."""
    for level, name, number, seat, cents, step, n in rows.own_claims(day):
        claim = f"{name.table}/{name.epoch}/{number}/{seat}/{level}"
        if ledger.has_claim(claim):
            continue
        late = f"entry {n} of the progressive has not been read" if n > ledger.place(level).n else ""
        state = step if step in ENDS else OPEN
        yield ClaimComparison(level, name.table, claim, cents, state, 0, ABSENT, late, rows.money(name))


def _worded(cents: int, state: str, currency: Currency) -> str:
    return f"{currency.text(cents)}, {state}" if state else "none"
