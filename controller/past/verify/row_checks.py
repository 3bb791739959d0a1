"""The checks of some kinds of rows, besides the chain, and the state that they share. A check may raise
BAD_ROW (journal/history.py)."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from controller.journal.chain import JournalRow, RowContent
from controller.journal.closed_files import CONTINUED
from controller.journal.key_change import KEY_CHANGED, KeyChange
from controller.journal.signing import CHECKPOINT, signed_by
from controller.journal.trust import CONFIRMED
from controller.past.verify.findings import Findings
from controller.past.verify.floor_commands import command_fault
from controller.past.verify.jackpots import ClaimHistory, MeterHistory
from controller.past.verify.linked_shares import share_fault
from controller.past.verify.parts import FilePart, RawRow
from controller.past.verify.rounds import round_faults
from controller.past.verify.seals import SealHistory
from controller.table.record.codec import from_json
from controller.table.record.kinds import SNAPSHOT
from controller.table.record.notes import ClaimMoved


@dataclass(frozen=True, slots=True)
class CheckDepth:
    """`kinds`: check the rows of each kind, not only the chain; `by_rules`: settle every round again."""

    kinds: bool = True
    by_rules: bool = True


@dataclass(slots=True)
class KeyUse:
    """The checkpoints of one key: how many, the first row, the last row."""

    count: int
    row: int
    last: int


@dataclass(frozen=True, slots=True)
class ConfirmedRows:
    """In row `row`, two persons confirmed the journal up to row `up_to`, with these foreign keys."""

    row: int
    up_to: int
    keys: tuple[str, ...]
    who: str
    second: str
    why: str


@dataclass(frozen=True, slots=True)
class ChangedKey:
    """In row `row`, the keys `old` and `new`, in hex, both sign that `new` signs from then on."""

    row: int
    old: str
    new: str


@dataclass(slots=True)
class PartResult:
    """The result of a part. `first`: its first row; `head`: the hash of its last row; `keys`: by public key
    in hex; `signed`: the last row that a checkpoint signs; `snapshot`: the last snapshot; `first_round` and
    `last_round`: number and row; `gone`: the last rows of files that were removed."""

    file: str
    first: int
    findings: Findings = field(init=False)
    rows: int = 0
    head: bytes = b""
    meters: MeterHistory = field(default_factory=MeterHistory)
    claims: ClaimHistory = field(default_factory=ClaimHistory)
    seals: SealHistory = field(default_factory=SealHistory)
    keys: dict[str, KeyUse] = field(default_factory=dict)
    signed: int = 0
    snapshot: int = 0
    rounds: int = 0
    first_round: tuple[int, int] | None = None
    last_round: tuple[int, int] | None = None
    confirmed: list[ConfirmedRows] = field(default_factory=list)
    changes: list[ChangedKey] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.findings = Findings(self.file)


@dataclass(slots=True)
class PartWalk:
    """The position of the loop: after row `row`, whose hash is `before`."""

    part: FilePart
    depth: CheckDepth
    checked: PartResult
    row: int = 0
    before: bytes = b""


RowCheck = Callable[[PartWalk, RawRow], None]
EMPTY_ROW = RowContent(0.0, "", "")


def _checkpoint(walk: PartWalk, fields: RawRow) -> None:
    checked, row = walk.checked, fields[0]
    public = signed_by(_row(fields), JournalRow(walk.row, EMPTY_ROW, walk.before))
    if public is None:
        checked.findings.add("checkpoint", row, f"its signature is not one of row {walk.row}")
        return
    signed = checked.keys.setdefault(public.hex(), KeyUse(0, row, row))
    signed.count, signed.last = signed.count + 1, row
    checked.signed = walk.row


def _meter(walk: PartWalk, fields: RawRow) -> None:
    walk.checked.meters.read(fields[0], fields[6], walk.checked.findings)


def _snapshot(walk: PartWalk, fields: RawRow) -> None:
    content = json.loads(fields[6])
    walk.checked.snapshot = fields[0]
    walk.checked.meters.read_snapshot(fields[0], content.get("meters", {}), walk.checked.findings)
    # the first row of a later file names the file before
    is_first = walk.part.first > 1 and fields[0] - walk.part.first <= 1
    walk.checked.seals.snapshot(fields[0], content, walk.checked.findings, is_first=is_first)


def _may_be_sealed(walk: PartWalk, fields: RawRow) -> None:
    walk.checked.seals.seal(fields)


def _opened(walk: PartWalk, fields: RawRow) -> None:
    walk.checked.seals.open(fields[0], fields[6], walk.checked.findings)


def _revealed(walk: PartWalk, fields: RawRow) -> None:
    walk.checked.seals.reveal(fields[0], fields[6], walk.checked.findings)


def _round(walk: PartWalk, fields: RawRow) -> None:
    checked, row = walk.checked, fields[0]
    won = checked.meters.end_round()
    record = json.loads(fields[6])
    number = record["round"]["number"]
    if checked.last_round and number != checked.last_round[0] + 1:
        checked.findings.add("money", row, f"round {number}; it should be {checked.last_round[0] + 1}")
    checked.rounds += 1
    checked.last_round = (number, row)
    checked.first_round = checked.first_round or checked.last_round
    for what in round_faults(record, won, by_rules=walk.depth.by_rules):
        checked.findings.add("money", row, f"round {number}: {what}")
    checked.seals.end_round(row, record["round"], checked.findings)


def _corrected(walk: PartWalk, fields: RawRow) -> None:
    """A correction. The movements of the meters of an ended round are rows of their own."""
    record = json.loads(fields[6])["ended"]
    if not record:
        walk.checked.seals.correct()
        return
    spots: dict[str, int | None] = {line["wager"]: None for line in record["round"]["lines"]}
    for what in round_faults(record, spots, by_rules=walk.depth.by_rules):
        text = f"round {record['round']['number']}, as it was corrected: {what}"
        walk.checked.findings.add("money", fields[0], text)


def _claim(walk: PartWalk, fields: RawRow) -> None:
    note: ClaimMoved = from_json(ClaimMoved, json.loads(fields[6]))
    walk.checked.claims.read(fields[0], note.claim, walk.checked.findings)


def _continued(walk: PartWalk, fields: RawRow) -> None:
    """In the middle of a file, where a copy joins the files of a table, it must name the row before."""
    if fields[0] == walk.part.file.first:
        return
    record = json.loads(fields[6])
    if (record["row"], record["hash"]) != (walk.row, walk.before.hex()):
        walk.checked.findings.add("chain", fields[0], f"{CONTINUED} does not name the row before it")


def _retired(walk: PartWalk, fields: RawRow) -> None:
    walk.checked.gone.add(json.loads(fields[6])["last"])


def _confirmed(walk: PartWalk, fields: RawRow) -> None:
    record = json.loads(fields[6])
    keys = tuple(map(str, record["keys"]))
    who, second, why = (str(record[name]) for name in ("who", "second", "why"))
    walk.checked.confirmed.append(ConfirmedRows(fields[0], int(record["row"]), keys, who, second, why))


def _key_changed(walk: PartWalk, fields: RawRow) -> None:
    change = KeyChange.of_row(_row(fields), JournalRow(walk.row, EMPTY_ROW, walk.before))
    if change is None:
        what = f"it changes the key, but the old and the new key did not both sign that after row {walk.row}"
        walk.checked.findings.add("checkpoint", fields[0], what)
    else:
        walk.checked.changes.append(ChangedKey(fields[0], change.old, change.new))


def _floor_command(walk: PartWalk, fields: RawRow) -> None:
    if fault := command_fault(fields[6].decode()):
        walk.checked.findings.add("floor", fields[0], fault)


def _share_won(walk: PartWalk, fields: RawRow) -> None:
    if fault := share_fault(fields[6].decode()):
        walk.checked.findings.add("claim", fields[0], fault)


def _row(fields: RawRow) -> RowContent:
    return RowContent(fields[1], fields[2].decode(), fields[6].decode())


ROW_CHECKS: dict[bytes, RowCheck] = {
    CHECKPOINT.encode(): _checkpoint,
    CONTINUED.encode(): _continued,
    SNAPSHOT.encode(): _snapshot,
    b"asked": _may_be_sealed,
    b"claim": _claim,
    b"event": _may_be_sealed,
    b"floor command": _floor_command,
    CONFIRMED.encode(): _confirmed,
    b"corrected": _corrected,
    KEY_CHANGED.encode(): _key_changed,
    b"meter": _meter,
    b"opened": _opened,
    b"retired": _retired,
    b"revealed": _revealed,
    b"supervisor": _may_be_sealed,
    b"round": _round,
    b"share won": _share_won,
}
"""The checks, by kind of row."""
