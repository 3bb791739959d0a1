"""What the floor knows beside the rows of its tables, in `floor.sqlite`: whose journals two persons admitted
or removed, and the incidents.

Decisions are only ever added: the newest one about a journal counts. An incident that occurs again is
counted, and stays open until it is settled by what arrives or by a person.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self

from controller.floor.day_file import JournalName, StoreError
from controller.floor.projector import Admission, Incident

FILE: Final = "floor.sqlite"
APPLICATION: Final = 0x54534632
SCHEMA: Final = 2
_ADD_SEALING: Final = "ALTER TABLE decision ADD COLUMN sealing BLOB NOT NULL DEFAULT x''"
"""What schema 2 has and schema 1 had not."""
PATIENCE: Final = 5.0
"""Seconds to wait for another program that writes."""
MOST_OPEN: Final = 16
"""Incidents of one kind that a table may have open: whoever sends under its name could make any number."""
DecisionKind = Literal["admit", "remove", "accept gap", "revoke"]
_TABLES: Final = (
    "CREATE TABLE decision (id INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, t TEXT NOT NULL,"
    " e TEXT NOT NULL, first INTEGER NOT NULL, before BLOB NOT NULL, public BLOB NOT NULL, who TEXT NOT NULL,"
    " second TEXT NOT NULL, why TEXT NOT NULL, sealing BLOB NOT NULL DEFAULT x'') STRICT",
    "CREATE TRIGGER no_update BEFORE UPDATE ON decision"
    " BEGIN SELECT RAISE(ABORT, 'decisions are only added'); END",
    "CREATE TRIGGER no_delete BEFORE DELETE ON decision"
    " BEGIN SELECT RAISE(ABORT, 'decisions are only added'); END",
    "CREATE TABLE incident (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, t TEXT NOT NULL, e TEXT NOT NULL,"
    " row INTEGER NOT NULL, last INTEGER NOT NULL, before BLOB NOT NULL, why TEXT NOT NULL,"
    " began REAL NOT NULL, at REAL NOT NULL, count INTEGER NOT NULL, ended REAL, settled TEXT NOT NULL)"
    " STRICT",
    "CREATE UNIQUE INDEX open_incident ON incident (kind, t, e, row) WHERE ended IS NULL",
)
_CURRENT: Final = (
    "SELECT kind, t, e, first, before, public, sealing, who, second, why, at FROM decision AS one WHERE id ="
    " (SELECT max(id) FROM decision WHERE t = one.t AND e = one.e AND kind IN ({kinds}))"
    " ORDER BY t, e"
)
_SAME: Final = "kind = ? AND t = ? AND e = ? AND row = ?"
_NEW_INCIDENT: Final = (
    "INSERT INTO incident (kind, t, e, row, last, before, why, began, at, count, settled)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, '')"
)
_AGAIN: Final = "UPDATE incident SET count = count + 1, at = ?, last = ?, before = ?, why = ? WHERE id = ?"
_OPEN_OF_KIND: Final = "SELECT count(*), max(id) FROM incident WHERE ended IS NULL AND kind = ? AND t = ?"
_MORE: Final = "UPDATE incident SET count = count + 1, at = ? WHERE id = ?"
_INCIDENTS: Final = (
    "SELECT id, kind, t, e, row, last, before, why, began, at, count, ended, settled FROM incident"
)


@dataclass(frozen=True, slots=True)
class Decision:
    """Two persons decided about a journal; to revoke, about all credentials of its table. To admit: the row
    `first` from which on it counts, the hash before it, and the public key of the table. To accept a gap: the
    row with which it goes on, and the hash before it. `at`: seconds of Unix time."""

    kind: DecisionKind
    name: JournalName
    admission: Admission
    who: str
    second: str
    why: str
    at: float


@dataclass(frozen=True, slots=True)
class KeptIncident:
    """An incident with its number. `began`, `at`: when it occurred first and last; `count`: how often;
    `ended`: None while it is open; `settled`: how it ended."""

    number: int
    incident: Incident
    began: float
    at: float
    count: int
    ended: float | None
    settled: str


class FloorRegister:
    """The file in `folder`, which is made if it is missing. Use it as a context. Raises StoreError for a file
    that cannot be used."""

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path, self._clock = folder / FILE, clock
        self._database = sqlite3.connect(self._path, isolation_level=None, timeout=PATIENCE)
        try:
            self._prepare()
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise StoreError(f"{self._path} cannot be used: {error}") from error
        except StoreError:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()

    @property
    def version(self) -> int:
        """Another number after another program has written."""
        return int(self._database.execute("PRAGMA data_version").fetchone()[0])

    def decide(self, decision: Decision) -> None:
        admission = decision.admission
        self._database.execute(
            "INSERT INTO decision (at, kind, t, e, first, before, public, sealing, who, second, why)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                decision.at,
                decision.kind,
                decision.name.table,
                decision.name.epoch,
                admission.first,
                admission.before,
                admission.public,
                admission.sealing,
                decision.who,
                decision.second,
                decision.why,
            ),
        )

    def decisions(self) -> list[Decision]:
        """All of them, oldest first."""
        columns = "kind, t, e, first, before, public, sealing, who, second, why, at"
        query = f"SELECT {columns} FROM decision ORDER BY id"  # noqa: S608 no value
        return [_decision(fields) for fields in self._database.execute(query)]

    def admissions(self) -> dict[JournalName, Admission]:
        """The journals that are admitted."""
        found = map(_decision, self._database.execute(_CURRENT.format(kinds="'admit', 'remove'")))
        return {decision.name: decision.admission for decision in found if decision.kind == "admit"}

    def sealing_keys(self) -> dict[str, bytes]:
        """By table, the key for which its directories are sealed: that of the journal that was admitted last,
        if it still is, and if it has one."""
        last = {one.name.table: one for one in self.decisions() if one.kind == "admit"}
        admitted = self.admissions()
        return {
            table: one.admission.sealing
            for table, one in last.items()
            if one.name in admitted and one.admission.sealing
        }

    def accepted_gaps(self) -> dict[JournalName, Admission]:
        """With which row each journal goes on after a gap that two persons accepted."""
        found = map(_decision, self._database.execute(_CURRENT.format(kinds="'accept gap'")))
        return {decision.name: decision.admission for decision in found}

    def report(self, incident: Incident) -> bool:
        """Keep an incident. Returns whether it is new. Of a gap that is reported again, the shorter one is
        kept: rows after it may have come meanwhile. Of a kind that a table has MOST_OPEN times, one more is
        counted with the newest."""
        return bool(self.report_all([incident]))

    def report_all(self, incidents: Iterable[Incident]) -> list[Incident]:
        """The same for several at once. Returns those that are new."""
        with self._transaction():
            return [incident for incident in incidents if self._keep(incident)]

    def _keep(self, incident: Incident) -> bool:
        now, run = self._clock(), self._database.execute
        kind, table, epoch = incident.kind, incident.name.table, incident.name.epoch
        place = kind, table, epoch, incident.row
        found = run(f"{_INCIDENTS} WHERE ended IS NULL AND {_SAME}", place).fetchone()
        if found:
            kept = min(_incident(found).incident, incident, key=lambda one: one.last)
            run(_AGAIN, (now, kept.last, kept.before, kept.why, found[0]))
            return False
        opened, newest = run(_OPEN_OF_KIND, (kind, table)).fetchone()
        if opened >= MOST_OPEN:
            run(_MORE, (now, newest))
            return False
        run(_NEW_INCIDENT, (*place, incident.last, incident.before, incident.why, now, now))
        return True

    def settle(self, number: int, how: str) -> bool:
        """End an incident. Returns False if none is open under this number."""
        query = "UPDATE incident SET ended = ?, settled = ? WHERE id = ? AND ended IS NULL"
        return bool(self._database.execute(query, (self._clock(), how, number)).rowcount)

    def incidents(self, *, ended: bool = False) -> list[KeptIncident]:
        """The open ones, oldest first; with those that have ended if `ended`."""
        query = f"{_INCIDENTS} WHERE ended IS NULL OR ? ORDER BY id"
        return [_incident(fields) for fields in self._database.execute(query, (ended,))]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def _prepare(self) -> None:
        run = self._database.execute
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        with self._transaction():
            application = run("PRAGMA application_id").fetchone()[0]
            version = run("PRAGMA user_version").fetchone()[0]
            if (application, version) == (APPLICATION, SCHEMA):
                return
            if (application, version) == (APPLICATION, 1):
                run(_ADD_SEALING)
                run(f"PRAGMA user_version = {SCHEMA}")
                return
            if run("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise StoreError(
                    f"{self._path} is not the register of a floor: it has schema {version}; allowed: {SCHEMA}"
                )
            for statement in _TABLES:
                run(statement)
            run(f"PRAGMA application_id = {APPLICATION}")
            run(f"PRAGMA user_version = {SCHEMA}")


def _decision(fields: tuple[Any, ...]) -> Decision:
    kind, table, epoch, first, before, public, sealing, who, second, why, at = fields
    admission = Admission(first, before, public, sealing)
    return Decision(kind, JournalName(table, epoch), admission, who, second, why, at)


def _incident(fields: tuple[Any, ...]) -> KeptIncident:
    number, kind, table, epoch, row, last, before, why, *rest = fields
    return KeptIncident(number, Incident(kind, JournalName(table, epoch), row, why, last, before), *rest)
