"""What the logs of the linked progressives say about each table, in `progressive.sqlite`.

The logs hold every reading for ever, and a house has a million of them a day. So the ledger keeps what each
table's meters were after each hour of a gaming day, every claim, every act of two persons, and the last entry
that was read. All of it follows from the logs: an end that a crash loses is read again.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from controller.calendar import Calendar, Period
from controller.currency import named_currency, using
from controller.floor.day_file import JournalName
from controller.floor.levels.acts import LevelAct, acts_in
from controller.floor.levels.words import outcome_words
from controller.floor.store_file import StoreError, transaction
from controller.jackpot.linked.entries import (
    Admitted,
    Alarm,
    ClaimEnded,
    Counted,
    LogEntry,
    NotNext,
    ParametersSet,
    Settled,
    Won,
    first_hash,
)
from controller.jackpot.linked.level import Contributor
from controller.jackpot.linked.messages import Meters
from controller.jackpot.linked.wire import Tally

FILE: Final = "progressive.sqlite"
APPLICATION: Final = 0x5453464C
SCHEMA: Final = 3
HOUR: Final = 3600.0
_TABLES: Final = (
    "CREATE TABLE position (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL) STRICT",
    "CREATE TABLE place (level TEXT PRIMARY KEY, n INTEGER NOT NULL, hash TEXT NOT NULL, at REAL NOT NULL,"
    " currency TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE admitted (level TEXT NOT NULL, t TEXT NOT NULL, e TEXT NOT NULL, PRIMARY KEY (level, t))"
    " STRICT, WITHOUT ROWID",
    "CREATE TABLE meter (level TEXT NOT NULL, t TEXT NOT NULL, e TEXT NOT NULL, begins REAL NOT NULL,"
    " row INTEGER NOT NULL, wagers INTEGER NOT NULL, wagered INTEGER NOT NULL,"
    " voided_wagers INTEGER NOT NULL, voided INTEGER NOT NULL, counted_wagers INTEGER NOT NULL,"
    " counted INTEGER NOT NULL, refused_wagers INTEGER NOT NULL, refused INTEGER NOT NULL,"
    " PRIMARY KEY (level, t, e, begins)) STRICT, WITHOUT ROWID",
    "CREATE TABLE claim (claim TEXT PRIMARY KEY, level TEXT NOT NULL, t TEXT NOT NULL, e TEXT NOT NULL,"
    " cents INTEGER NOT NULL, at REAL NOT NULL, state TEXT NOT NULL, ended REAL) STRICT, WITHOUT ROWID",
    "CREATE TABLE act (level TEXT NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL, at REAL NOT NULL,"
    " what TEXT NOT NULL, refused TEXT NOT NULL, who TEXT NOT NULL, second TEXT NOT NULL, why TEXT NOT NULL,"
    " PRIMARY KEY (level, n, id)) STRICT, WITHOUT ROWID",
)
_NAMES: Final = ("position", "place", "admitted", "meter", "claim", "act")
_METER: Final = (
    "row, wagers, wagered, voided_wagers, voided, counted_wagers, counted, refused_wagers, refused"
)
_LAST: Final = (
    f"SELECT {_METER} FROM meter WHERE level = ? AND t = ? AND e = ? AND begins < ?"  # noqa: S608 no value
    " ORDER BY begins DESC LIMIT 1"
)
_IN_DAY: Final = (
    f"SELECT {_METER} FROM meter WHERE level = ? AND t = ? AND e = ?"  # noqa: S608 no value
    " AND begins >= ? AND begins < ? ORDER BY begins DESC"
)
_CLAIMS: Final = (
    "SELECT level, claim, t, e, cents, at, state, ended FROM claim"
    " WHERE at >= :begins AND at < :ends OR ended >= :begins AND ended < :ends ORDER BY level, at, claim"
)
_LAST_CLAIMS: Final = (
    "SELECT level, claim, t, e, cents, at, state, ended FROM claim WHERE level = ?"
    " ORDER BY at DESC, claim LIMIT ?"
)
_LAST_ACTS: Final = (
    "SELECT n, id, at, what, refused, who, second, why FROM act WHERE level = ? ORDER BY n DESC, id LIMIT ?"
)
_NEW_ACT: Final = "INSERT INTO act VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_RETIRE: Final = (
    "DELETE FROM meter WHERE begins < (SELECT max(begins) FROM meter AS later WHERE later.level = meter.level"
    " AND later.t = meter.t AND later.e = meter.e AND later.begins < ?)"
)
EVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class LevelPlace:
    """The last entry of a level's log that was read. `at`: seconds of Unix time; `currency`: the code of the
    currency of the level's amounts, empty if it has named none."""

    n: int = 0
    hash: str = ""
    at: float = 0.0
    currency: str = ""


@dataclass(frozen=True, slots=True)
class MeterMark:
    """A table's meters for a level after an hour: the row by which the table had recorded them, and the
    wagers without void ones that contributed since the table's journal began."""

    row: int = 0
    counted: Tally = field(default_factory=Tally)


@dataclass(frozen=True, slots=True)
class DayMarks:
    """One journal at one level. `before`: after the last hour of earlier days; `hours`: of the gaming day,
    the latest first, at least one."""

    level: str
    name: JournalName
    before: MeterMark
    hours: tuple[MeterMark, ...]


@dataclass(frozen=True, slots=True)
class LedgerClaim:
    """A claim as a progressive's log has it. `at`: when its cents were locked; `ended`: when it was paid or
    void, None while it is open; in seconds of Unix time."""

    level: str
    claim: str
    name: JournalName
    cents: int
    at: float
    state: str
    ended: float | None

    @property
    def round(self) -> int:
        return int(self.claim.split("/")[2])

    @property
    def seat(self) -> int:
        return int(self.claim.split("/")[3])


@dataclass(frozen=True, slots=True)
class LedgerAct:
    """What two persons decided about a level, by entry `n` of its log. `what`: a sentence; `refused`: why
    nothing was done, empty if it was. Of a refused act the log names no persons. `at`: seconds of Unix
    time."""

    n: int
    id: str
    at: float
    what: str
    refused: str
    who: str
    second: str
    why: str


class LedgerReader:
    """The ledger in `folder` for reading, also while another program writes it. Use it as a context. Raises
    StoreError for a file that cannot be used."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._database = sqlite3.connect(
            f"{self.path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None
        )
        self._checked(self._prepare)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()

    def place(self, level: str) -> LevelPlace:
        query = "SELECT n, hash, at, currency FROM place WHERE level = ?"
        for fields in self._database.execute(query, (level,)):
            return LevelPlace(*fields)
        return LevelPlace(hash=first_hash(level))

    def marks(self, day: Period) -> Iterator[DayMarks]:
        """The journals that contributed in a gaming day."""
        span = day.begins, day.ends
        query = "SELECT DISTINCT level, t, e FROM meter WHERE begins >= ? AND begins < ? ORDER BY level, t, e"
        for key in self._database.execute(query, span).fetchall():
            before = self._database.execute(_LAST, (*key, day.begins)).fetchone()
            hours = self._database.execute(_IN_DAY, (*key, *span))
            level, *name = key
            yield DayMarks(
                level, JournalName(*name), _mark(before) if before else MeterMark(), tuple(map(_mark, hours))
            )

    def claims(self, day: Period) -> Iterator[LedgerClaim]:
        """The claims that were locked or ended in a gaming day."""
        found = self._database.execute(_CLAIMS, {"begins": day.begins, "ends": day.ends})
        yield from map(_claim, found.fetchall())

    def last_claims(self, level: str, most: int) -> list[LedgerClaim]:
        """The newest first."""
        return [_claim(fields) for fields in self._database.execute(_LAST_CLAIMS, (level, most))]

    def last_acts(self, level: str, most: int) -> list[LedgerAct]:
        """The newest first."""
        return [LedgerAct(*fields) for fields in self._database.execute(_LAST_ACTS, (level, most))]

    def has_claim(self, claim: str) -> bool:
        return bool(self._database.execute("SELECT 1 FROM claim WHERE claim = ?", (claim,)).fetchone())

    def _prepare(self) -> None:
        if self._schema() != (APPLICATION, SCHEMA):
            raise StoreError(f"{self.path} is not the ledger of a floor; allowed: schema {SCHEMA}")

    def _checked(self, prepare: Callable[[], None]) -> None:
        try:
            prepare()
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise StoreError(f"{self.path} cannot be used: {error}") from error
        except StoreError:
            self._database.close()
            raise

    def _schema(self) -> tuple[int, int]:
        run = self._database.execute
        return run("PRAGMA application_id").fetchone()[0], run("PRAGMA user_version").fetchone()[0]


class Ledger(LedgerReader):
    """The ledger as the one program that writes has it; the file is made if it is missing. `calendar`: the
    gaming days of the house."""

    def __init__(self, folder: Path, calendar: Calendar) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path, self._calendar = folder / FILE, calendar
        self._day: Period | None = None
        self._contributors: dict[tuple[str, str, str], Contributor] = {}
        self._database = sqlite3.connect(self.path, isolation_level=None)
        self._checked(self._prepare)

    @property
    def sequence(self) -> int:
        """Of the last message of PROGRESSIVE_LOG that was read, 0 for none."""
        return int(self._database.execute("SELECT seq FROM position").fetchone()[0])

    def take(self, entries: Iterable[tuple[str, LogEntry]], sequence: int) -> None:
        """Levels with their next entries, up to this sequence of the stream. An entry that is known is left
        out. Raises NotNext for one that does not follow; then nothing of them is taken."""
        try:
            with transaction(self._database):
                for level, entry in entries:
                    self._take(level, entry)
                self._database.execute("UPDATE position SET seq = ?", (sequence,))
        except BaseException:
            self._contributors.clear()
            raise

    def clear(self) -> None:
        """Forget everything: the logs are read from their begin again."""
        self._contributors.clear()
        with transaction(self._database):
            for name in _NAMES[1:]:
                self._database.execute(f"DELETE FROM {name}")  # noqa: S608 - a constant
            self._database.execute("UPDATE position SET seq = 0")

    def retire(self, before: float) -> None:
        """Forget the hours before this time, apart from the last one of each journal, after which later ones
        count."""
        with transaction(self._database):
            self._database.execute(_RETIRE, (before,))

    def _take(self, level: str, entry: LogEntry) -> None:
        place = self.place(level)
        if entry.n <= place.n:
            return
        if (entry.n, entry.before) != (place.n + 1, place.hash):
            raise NotNext(f"progressive {level}: entry {entry.n} does not follow entry {place.n}")
        at = max(entry.at, place.at)
        for outcome in entry.out:
            if step := OUTCOMES.get(type(outcome)):
                step(self, level, outcome, at)
        named = (one.parameters.currency for one in entry.out if isinstance(one, ParametersSet))
        currency = next(filter(None, named), place.currency)
        with using(named_currency(currency)):
            for act in acts_in([entry]):
                self._keep_act(level, act, at)
        self._database.execute(
            "INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?, ?)", (level, entry.n, entry.hash, at, currency)
        )

    def _count(self, level: str, counted: Counted, at: float) -> None:
        self._change((level, counted.table, counted.epoch), at, Contributor.counting, counted.reading)

    def _settle(self, level: str, settled: Settled, at: float) -> None:
        self._change((level, settled.table, settled.epoch), at, Contributor.settled, settled.reading)

    def _refuse(self, level: str, alarm: Alarm, at: float) -> None:
        """Only of unreasonable wagers the meters are known from then on."""
        if alarm.reading is None or alarm.code == "meter fell":
            return
        query = "SELECT e FROM admitted WHERE level = ? AND t = ?"
        for (epoch,) in self._database.execute(query, (level, alarm.table)):
            self._change((level, alarm.table, epoch), at, Contributor.refusing, alarm.reading)

    def _admit(self, level: str, admitted: Admitted, _at: float) -> None:
        fields = level, admitted.table, admitted.epoch
        self._database.execute("INSERT OR REPLACE INTO admitted VALUES (?, ?, ?)", fields)

    def _win(self, level: str, won: Won, at: float) -> None:
        fields = won.claim, level, won.table, won.epoch, won.cents, at
        self._database.execute("INSERT INTO claim VALUES (?, ?, ?, ?, ?, ?, 'open', NULL)", fields)

    def _end(self, _level: str, ended: ClaimEnded, at: float) -> None:
        query = "UPDATE claim SET state = ?, ended = ? WHERE claim = ?"
        self._database.execute(query, (ended.to, at, ended.claim))

    def _keep_act(self, level: str, act: LevelAct, at: float) -> None:
        place = level, act.n, act.id, at
        if isinstance(act.outcome, Alarm):
            self._database.execute(_NEW_ACT, (*place, "", act.refused, "", "", ""))
        else:
            said = outcome_words(act.outcome), "", *act.outcome.who, act.outcome.why
            self._database.execute(_NEW_ACT, (*place, *said))

    def _change(
        self,
        key: tuple[str, str, str],
        at: float,
        change: Callable[[Contributor, Meters], Contributor],
        reading: Meters,
    ) -> None:
        if key not in self._contributors:
            last = self._database.execute(_LAST, (*key, EVER)).fetchone()
            self._contributors[key] = _contributor(last) if last else Contributor("")
        one = self._contributors[key] = change(self._contributors[key], reading)
        self._database.execute(
            "INSERT OR REPLACE INTO meter VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*key, self._hour(at), one.known.row, *one.known.counts[1:], *one.counted, *one.refused),
        )

    def _hour(self, at: float) -> float:
        """When the hour of the gaming day began."""
        if self._day is None or not self._day.holds(at):
            self._day = self._calendar.day(self._calendar.day_of(at))
        return self._day.begins + HOUR * ((at - self._day.begins) // HOUR)

    def _prepare(self) -> None:
        """What another version wrote is thrown away: the logs have it."""
        run = self._database.execute
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")
        if self._schema() == (APPLICATION, SCHEMA):
            return
        if run("SELECT count(*) FROM sqlite_master").fetchone()[0] and self._schema()[0] != APPLICATION:
            raise StoreError(f"{self.path} is not the ledger of a floor")
        with transaction(self._database):
            for name in _NAMES:
                run(f"DROP TABLE IF EXISTS {name}")
            for statement in _TABLES:
                run(statement)
            run("INSERT INTO position VALUES (1, 0)")
            run(f"PRAGMA application_id = {APPLICATION}")
            run(f"PRAGMA user_version = {SCHEMA}")


OUTCOMES: Final[dict[type, Callable[[Ledger, str, Any, float], None]]] = {
    Counted: Ledger._count,
    Settled: Ledger._settle,
    Alarm: Ledger._refuse,
    Admitted: Ledger._admit,
    Won: Ledger._win,
    ClaimEnded: Ledger._end,
}
"""What an outcome changes; every other one changes nothing here."""


def _claim(fields: tuple[Any, ...]) -> LedgerClaim:
    level, claim, table, epoch, *rest = fields
    return LedgerClaim(level, claim, JournalName(table, epoch), *rest)


def _mark(fields: tuple[int, ...]) -> MeterMark:
    return MeterMark(fields[0], Tally(*fields[5:7]))


def _contributor(fields: tuple[int, ...]) -> Contributor:
    row, wagers, wagered, voided_wagers, voided, *rest = fields
    known = Meters(row=row, wagers=wagers, wagered=wagered, voided_wagers=voided_wagers, voided=voided)
    return replace(Contributor("", known=known), counted=Tally(*rest[:2]), refused=Tally(*rest[2:]))
