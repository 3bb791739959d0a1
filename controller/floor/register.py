"""What the floor knows beside the rows of its tables, in `floor.sqlite`: whose journals two persons admitted
or removed, and the incidents.

Decisions are only ever added. Each is an entry of the floor's own journal too, and counts for the service as
soon as it is: so every instance of the floor knows the same decisions in the same order, of which the newest
one about a journal counts. What persons have just decided at this computer comes after all others, until it
is such an entry.

An incident that occurs again is counted, and stays open until it is settled by what arrives or by a person.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self

from controller.floor.day_file import JournalName
from controller.floor.projector import Admission, Incident
from controller.floor.store_file import PATIENCE, StoreError, transaction

FILE: Final = "floor.sqlite"
APPLICATION: Final = 0x54534632
SCHEMA: Final = 3
_LOGGED: Final = "CREATE TABLE logged (id INTEGER PRIMARY KEY REFERENCES decision, n INTEGER NOT NULL) STRICT"
_UPGRADES: Final[Mapping[int, tuple[str, ...]]] = {
    1: ("ALTER TABLE decision ADD COLUMN sealing BLOB NOT NULL DEFAULT x''",),
    2: (_LOGGED, "INSERT INTO logged SELECT id, 0 FROM decision"),
}
"""By schema, what the next one has beside. The decisions of before count, and become entries later."""
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
    _LOGGED,
)
_COLUMNS: Final = "kind, t, e, first, before, public, sealing, who, second, why, at"
_WITH_ENTRIES: Final = f"SELECT {_COLUMNS} FROM decision LEFT JOIN logged USING (id)"  # noqa: S608 no value
_NEW_DECISION: Final = f"INSERT INTO decision ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
_WAITING: Final = "coalesce(n, 0) = 0"
"""Whether a decision is not an entry yet."""
_THIS_WAITING: Final = (
    f"SELECT min(id) FROM decision LEFT JOIN logged USING (id) WHERE {_WAITING} AND ({_COLUMNS})"  # noqa: S608
    " = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
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
        self._path, self._clock, self._taken = folder / FILE, clock, 0
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
    def version(self) -> tuple[int, int]:
        """Another value after another program has written, or an entry was taken."""
        return int(self._database.execute("PRAGMA data_version").fetchone()[0]), self._taken

    def decide(self, decision: Decision) -> None:
        """Keep what persons have decided at this computer."""
        self._database.execute(_NEW_DECISION, _fields(decision))

    def take(self, entry: int, decision: Decision) -> None:
        """This decision, of any instance, is the entry with this number in the floor's own journal."""
        with transaction(self._database):
            run = self._database.execute
            if run("SELECT 1 FROM logged WHERE n = ?", (entry,)).fetchone():
                return
            fields = _fields(decision)
            (number,) = run(_THIS_WAITING, fields).fetchone()
            if number is None:
                number = run(_NEW_DECISION, fields).lastrowid
            run("INSERT OR REPLACE INTO logged VALUES (?, ?)", (number, entry))
        self._taken += 1

    def last_entry(self) -> int:
        """The number of the last entry that was taken; 0 for none."""
        return int(self._database.execute("SELECT coalesce(max(n), 0) FROM logged").fetchone()[0])

    def waiting(self) -> list[Decision]:
        """The decisions that are not entries yet, oldest first."""
        query = f"{_WITH_ENTRIES} WHERE {_WAITING} ORDER BY id"
        return [_decision(fields) for fields in self._database.execute(query)]

    def decisions(self, *, logged: bool = False) -> list[Decision]:
        """All of them, oldest first; without those that do not count for the service yet if `logged`."""
        query = f"{_WITH_ENTRIES} WHERE n IS NOT NULL OR NOT ? ORDER BY n IS NULL, n, id"
        return [_decision(fields) for fields in self._database.execute(query, (logged,))]

    def admissions(self, *, logged: bool = False) -> dict[JournalName, Admission]:
        """The journals that are admitted. `logged`: as for `decisions`."""
        last = {one.name: one for one in self.decisions(logged=logged) if one.kind in ("admit", "remove")}
        return {name: one.admission for name, one in last.items() if one.kind == "admit"}

    def sealing_keys(self, *, logged: bool = False) -> dict[str, bytes]:
        """By table, the key for which its directories are sealed: that of the journal that was admitted last,
        if it still is, and if it has one. `logged`: as for `decisions`."""
        last = {one.name.table: one for one in self.decisions(logged=logged) if one.kind == "admit"}
        admitted = self.admissions(logged=logged)
        return {
            table: one.admission.sealing
            for table, one in last.items()
            if one.name in admitted and one.admission.sealing
        }

    def accepted_gaps(self, *, logged: bool = False) -> dict[JournalName, Admission]:
        """With which row each journal goes on after a gap that two persons accepted. `logged`: as for
        `decisions`."""
        decisions = self.decisions(logged=logged)
        return {one.name: one.admission for one in decisions if one.kind == "accept gap"}

    def report(self, incident: Incident) -> bool:
        """Keep an incident. Returns whether it is new. Of a gap that is reported again, the shorter one is
        kept: rows after it may have come meanwhile. Of a kind that a table has MOST_OPEN times, one more is
        counted with the newest."""
        return bool(self.report_all([incident]))

    def report_all(self, incidents: Iterable[Incident]) -> list[Incident]:
        """The same for several at once. Returns those that are new."""
        with transaction(self._database):
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

    def _prepare(self) -> None:
        run = self._database.execute
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        with transaction(self._database):
            application = run("PRAGMA application_id").fetchone()[0]
            version = run("PRAGMA user_version").fetchone()[0]
            if (application, version) == (APPLICATION, SCHEMA):
                return
            if application == APPLICATION and version in _UPGRADES:
                self._upgrade(version)
                return
            if run("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise StoreError(
                    f"{self._path} is not the register of a floor: it has schema {version}; allowed: {SCHEMA}"
                )
            for statement in _TABLES:
                run(statement)
            run(f"PRAGMA application_id = {APPLICATION}")
            run(f"PRAGMA user_version = {SCHEMA}")

    def _upgrade(self, version: int) -> None:
        for schema in range(version, SCHEMA):
            for statement in _UPGRADES[schema]:
                self._database.execute(statement)
        self._database.execute(f"PRAGMA user_version = {SCHEMA}")


def _fields(decision: Decision) -> tuple[Any, ...]:
    """In the order of the columns."""
    name, admission = decision.name, decision.admission
    place = admission.first, admission.before, admission.public, admission.sealing
    persons = decision.who, decision.second, decision.why
    return decision.kind, name.table, name.epoch, *place, *persons, decision.at


def _decision(fields: tuple[Any, ...]) -> Decision:
    kind, table, epoch, first, before, public, sealing, who, second, why, at = fields
    admission = Admission(first, before, public, sealing)
    return Decision(kind, JournalName(table, epoch), admission, who, second, why, at)


def _incident(fields: tuple[Any, ...]) -> KeptIncident:
    number, kind, table, epoch, row, last, before, why, *rest = fields
    return KeptIncident(number, Incident(kind, JournalName(table, epoch), row, why, last, before), *rest)
