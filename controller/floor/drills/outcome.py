"""What a drill found: what the floor stored beside what the tables wrote, and whether that is as promised."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from controller.floor.batch import Batch, BatchError, rows_of
from controller.floor.day_file import JournalName
from controller.floor.register import KeptIncident
from controller.floor.store import FloorStore
from controller.journal.chain import START
from controller.journal.history import History


class WrittenJournal(Protocol):
    """A journal at its table. `disclosed`: a row up to which all may leave the house; a table in play may
    already have disclosed later ones."""

    @property
    def journal_name(self) -> JournalName: ...

    @property
    def history(self) -> History: ...

    @property
    def disclosed(self) -> int: ...


@dataclass(frozen=True, slots=True)
class StoredRows:
    """Of all tables. `stored`: each row once; `lost`: rows of the journals that may be disclosed and are not
    stored; `duplicated`: rows that are stored more than once; `chain_ok`: each chain was computed again from
    its first stored row and is that of the table."""

    stored: int = 0
    lost: int = 0
    duplicated: int = 0
    chain_ok: bool = True

    def __add__(self, other: "StoredRows") -> "StoredRows":
        return StoredRows(
            self.stored + other.stored,
            self.lost + other.lost,
            self.duplicated + other.duplicated,
            self.chain_ok and other.chain_ok,
        )


@dataclass(slots=True)
class Findings:
    """What a drill notes while it runs. `faults`: a sentence for each promise that was not kept; `published`:
    rows that JetStream acknowledged, each once; `absent`: what this computer does not have, so that the drill
    has shown nothing."""

    kills: int = 0
    published: int = 0
    rows: StoredRows = field(default_factory=StoredRows)
    incidents: Sequence[KeptIncident] = ()
    faults: list[str] = field(default_factory=list)
    absent: str = ""

    def __add__(self, other: "Findings") -> "Findings":
        return Findings(
            self.kills + other.kills,
            self.published + other.published,
            self.rows + other.rows,
            [*self.incidents, *other.incidents],
            [*self.faults, *other.faults],
            self.absent or other.absent,
        )

    def check(self, kept: bool, fault: str) -> None:
        """Note the fault unless the promise was kept."""
        if not kept:
            self.faults.append(fault)

    def check_replica(self) -> None:
        """Every row that may leave a table is stored once, and nothing contradicts it."""
        rows = self.rows
        self.check(rows.stored > 0, "nothing was stored")
        self.check(not rows.lost, f"{rows.lost} rows are lost")
        self.check(not rows.duplicated, f"{rows.duplicated} rows are stored twice")
        self.check(rows.chain_ok, "a stored chain is not that of its table")
        self.check(not self.forks, f"{self.forks} forks")

    @property
    def forks(self) -> int:
        return sum(kept.incident.kind == "fork" for kept in self.incidents)


@dataclass(frozen=True, slots=True)
class DrillResult:
    """The figures of a drill. `incidents`: how many of each kind; `expected`: what has to come out;
    `faults`: a sentence for each difference from that; `absent`: what this computer does not have, and the
    drill needs."""

    drill: str
    seconds: float
    kills: int
    rows_published: int
    rows_stored: int
    lost: int
    duplicated: int
    forks: int
    chain_ok: bool
    incidents: dict[str, int]
    expected: str
    passed: bool
    faults: tuple[str, ...]
    absent: str

    @classmethod
    def of(cls, drill: str, expected: str, seconds: float, found: Findings) -> "DrillResult":
        return cls(
            drill=drill,
            seconds=round(seconds, 1),
            kills=found.kills,
            rows_published=found.published,
            rows_stored=found.rows.stored,
            lost=found.rows.lost,
            duplicated=found.rows.duplicated,
            forks=found.forks,
            chain_ok=found.rows.chain_ok,
            incidents=dict(Counter(kept.incident.kind for kept in found.incidents)),
            expected=expected,
            passed=not found.faults and not found.absent,
            faults=tuple(found.faults),
            absent=found.absent,
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def compare(store: FloorStore, tables: Iterable[WrittenJournal]) -> StoredRows:
    """What is stored beside the journals of the tables, each row by its hash."""
    return sum((_compare(store, table) for table in tables), StoredRows())


def _compare(store: FloorStore, table: WrittenJournal) -> StoredRows:
    """Reads what is stored first: the table may write meanwhile, and the floor store it."""
    count = Counter[int]()
    stored = list(store.segments(table.journal_name))
    oldest = table.history.files()[0].first
    written = {entry.row: entry.hash for entry in table.history.rows(oldest)}
    chain_ok, reached = True, (0, START)
    for segment in stored:
        count.update(range(segment.first, segment.last + 1))
        chain_ok = chain_ok and _follows(reached, segment) and _is_written(segment, written, oldest)
        reached = segment.last, segment.hash
    lost = sum(row not in count for row in written if row <= table.disclosed)
    return StoredRows(len(count), lost, sum(times > 1 for times in count.values()), chain_ok)


def _follows(reached: tuple[int, bytes], segment: Batch) -> bool:
    """Rows may be missing between the two if persons accepted that."""
    row, digest = reached
    return segment.first > row + 1 or (segment.first == row + 1 and segment.before == digest)


def _is_written(segment: Batch, written: Mapping[int, bytes], oldest: int) -> bool:
    """Rows before the oldest one were deleted at the table."""
    try:
        rows = rows_of(segment)
    except BatchError:
        return False
    return all(row.row < oldest or written.get(row.row) == row.hash for row in rows)
