"""What the floor does with each batch that it receives: it stores what follows from what it has, and nothing
else.

Theory of operation
-------------------
The journal of a table is the source of truth, and the stream is only the way here. So nothing that arrives is
believed: a batch is stored if its table's journal was admitted, if it begins where the stored rows end, and
if its own chain and its checkpoints hold. A batch that was received before is dropped. Every other batch is
an incident, which a person has to decide; the rows that are stored already stay as they are.

The position in the stream is stored in the same transaction as the rows. After a crash, the projector reads
the stream again from there, and drops what it has.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from controller.floor.batch import MOST_ROWS, Batch, BatchError, batch_of, batches, rows_of
from controller.floor.day_file import DayFile, FloorHead, JournalName, Position
from controller.floor.derived.reader import derive
from controller.floor.signatures import WrongSignature, verified
from controller.floor.store import FloorStore
from controller.journal.chain import JournalRow

STREAM = "journal"
"""The name under which the position in the stream of journals is stored."""

IncidentKind = Literal["gap", "fork", "unknown journal", "rows gone", "unreadable row"]


ADVICE: Mapping[IncidentKind, str] = {
    "gap": "Wait: the floor asks {table} for the missing rows. If it stays open, look at its uplink",
    "fork": (
        "Find out who wrote these rows: compare the table's journal with tableside floor journal {table}. "
        "Nothing that is stored was changed"
    ),
    "unknown journal": (
        "If {table} has a new journal, two persons admit it: tableside floor admit. "
        "If not, find the program that sends under this name"
    ),
    "rows gone": (
        "Look for a copy of the missing rows. "
        "Without one, two persons accept the gap: tableside floor accept-gap {table}"
    ),
    "unreadable row": "Report it to the maker of this program; the row itself is stored",
}


@dataclass(frozen=True, slots=True)
class Admission:
    """What two persons admitted: a journal from a row on, the hash before that row, and the public key with
    which its table signs. `sealing`: the key for which the table's directories are sealed, empty if it takes
    none."""

    first: int
    before: bytes
    public: bytes
    sealing: bytes = b""


@dataclass(frozen=True, slots=True)
class Incident:
    """Why a batch was not stored. `row`: the first row that the floor does not have; `last`, `before`: of
    a gap, the last missing row and its hash, else empty. An unreadable row is stored, and nothing is derived
    from it."""

    kind: IncidentKind
    name: JournalName
    row: int
    why: str
    last: int = 0
    before: bytes = b""

    @property
    def sentence(self) -> str:
        """What happened, with its table, journal and row."""
        if not self.row:
            return f"{self.name.table}, journal {self.name.epoch}: {self.why}"
        return f"{self.name.table}, journal {self.name.epoch}, row {self.row}: {self.why}"

    @property
    def advice(self) -> str:
        """What a person does about it."""
        return ADVICE[self.kind].format(table=self.name.table)


@dataclass(frozen=True, slots=True)
class ReceivedBatch:
    """A message of the stream. `headers` and `data` are as they came; nothing is checked."""

    name: JournalName
    seq: int
    headers: Mapping[str, str]
    data: bytes


NOT_ADMITTED = "this journal is not admitted"
NOTHING_ACCEPTED: Mapping[JournalName, Admission] = {}


class _Refused(Exception):
    """A batch is not stored."""

    def __init__(self, kind: IncidentKind, why: str, last: int = 0, before: bytes = b"") -> None:
        super().__init__(why)
        self.kind, self.last, self.before = kind, last, before


class Projector:
    """Stores what two persons admitted in `admissions`. `accepted`: where a journal goes on after a gap that
    two persons accepted. Both may change."""

    def __init__(
        self,
        store: FloorStore,
        admissions: Mapping[JournalName, Admission],
        accepted: Mapping[JournalName, Admission] = NOTHING_ACCEPTED,
    ) -> None:
        self._store, self.admissions, self.accepted = store, admissions, accepted
        self.heads = store.newest.heads()

    def take(
        self,
        received: Sequence[ReceivedBatch],
        incarnation: int,
        report: Callable[[list[Incident]], None] = lambda _incidents: None,
    ) -> list[Incident]:
        """Store messages that follow each other in the stream, with the position after them, in one
        transaction. Returns why some were not stored. `report` gets the same before the position moves on, so
        that a crash repeats an incident and loses none."""
        file, heads, incidents = self._store.newest, dict(self.heads), list[Incident]()
        with file.transaction():
            for message in received:
                head = self._head(message.name, heads)
                try:
                    heads[message.name], unreadable = self._store_batch(file, message, head)
                    incidents += unreadable
                except _Refused as refused:
                    incidents.append(_incident(message.name, head, refused))
            if received:
                file.set_position(STREAM, Position(incarnation, received[-1].seq))
            report(incidents)
        self.heads = heads
        return incidents

    def head(self, name: JournalName) -> FloorHead | None:
        """After which row an admitted journal goes on; None for one that is not admitted."""
        return self._head(name, self.heads)

    def _head(self, name: JournalName, heads: Mapping[JournalName, FloorHead]) -> FloorHead | None:
        admission = self.admissions.get(name)
        return heads.get(name, _head_before(admission)) if admission else None

    def _store_batch(
        self, file: DayFile, message: ReceivedBatch, head: FloorHead | None
    ) -> tuple[FloorHead, list[Incident]]:
        """The head after it, and which rows make no sense. Raises _Refused."""
        if head is None:
            raise _Refused("unknown journal", NOT_ADMITTED)
        try:
            batch = batch_of(message.headers, message.data)
            rows = rows_of(batch)
        except BatchError as error:
            raise _Refused("fork", str(error)) from error
        head = self._after_gap(head, message.name, batch)
        fresh = _after(head, batch, rows)
        if not fresh:
            return head, []
        try:
            reached, signed = verified(head, fresh)
        except WrongSignature as error:
            raise _Refused("fork", str(error)) from error
        as_received = len(fresh) == len(rows) <= MOST_ROWS
        for part in [batch] if as_received else batches(head.hash, fresh):
            file.append(message.name, part)
        if signed:
            file.set_anchor(message.name, signed)
        file.set_head(message.name, reached)
        return reached, self._derive(file, message.name, fresh)

    def _derive(self, file: DayFile, name: JournalName, rows: Sequence[JournalRow]) -> list[Incident]:
        """Write what these rows say. Returns an incident if some make no sense."""
        records, course = derive(rows, file.derived.course(name.key))
        file.derived.write(name.key, records, self._store.earlier_round)
        file.derived.extend_span([row.content.at for row in rows])
        file.derived.set_course(name.key, course)
        return _unreadable(name, records.unreadable)

    def _after_gap(self, head: FloorHead, name: JournalName, batch: Batch) -> FloorHead:
        """The head, moved over a gap that two persons accepted if the batch begins behind it."""
        accepted = self.accepted.get(name)
        if accepted and head.row + 1 < accepted.first == batch.first and accepted.before == batch.before:
            return FloorHead(accepted.first - 1, accepted.before, head.at, head.public)
        return head


def _head_before(admission: Admission) -> FloorHead:
    return FloorHead(admission.first - 1, admission.before, 0.0, admission.public)


def _incident(name: JournalName, head: FloorHead | None, refused: _Refused) -> Incident:
    row = head.row + 1 if head else 0
    return Incident(refused.kind, name, row, str(refused), refused.last, refused.before)


def _unreadable(name: JournalName, rows: Sequence[tuple[int, str]]) -> list[Incident]:
    """One incident for all rows of a batch that make no sense: it names the first."""
    if not rows:
        return []
    row, why = rows[0]
    more = f"; and {len(rows) - 1} more rows of the same batch" if len(rows) > 1 else ""
    return [Incident("unreadable row", name, row, f"{why}{more}")]


def _after(head: FloorHead, batch: Batch, rows: Sequence[JournalRow]) -> Sequence[JournalRow]:
    """The rows of a batch that follow the head; none if all of them are known. Raises _Refused."""
    if batch.first > head.row + 1:
        last = batch.first - 1
        raise _Refused("gap", f"the rows {head.row + 1} to {last} are missing", last, batch.before)
    if batch.last < head.row:
        return ()
    known = head.row - batch.first + 1
    before = rows[known - 1].hash if known else batch.before
    if before != head.hash:
        raise _Refused("fork", f"row {head.row} has another hash than the one that is stored")
    return rows[known:]
