"""What the slip of a jackpot claim says, read from the journal. A daemon may append meanwhile."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from controller.jackpot import Claim
from controller.jackpot.claims import State
from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.journal.history import AFTER_LAST_ROW, History, HistoryFile, row_errors
from controller.past.anchor import Anchor
from controller.past.export.evidence import evidence_hash
from controller.past.export.proof import rows_near_round, table_identity
from controller.past.seals import CheckedSeal, checked_seals
from controller.past.verify.publishable import newest_anchor
from controller.table.record.codec import read_record
from controller.table.record.kinds import SNAPSHOT
from controller.table.record.notes import ClaimMoved, Overridden

OVERRIDE_ROW = "override"
_CLAIMS = "SELECT row FROM journal WHERE kind = 'claim' ORDER BY row DESC"


class ClaimNotFound(JournalError):
    """The journal does not have the claim."""


@dataclass(frozen=True, slots=True)
class RootDecision:
    """Root decided in the round of the hit without signing in. `at`: in seconds of Unix time."""

    at: float
    why: str


@dataclass(frozen=True, slots=True)
class JackpotSlip:
    """One claim as it is now. `times`: when it reached each state, in seconds of Unix time. `row` and `hash`
    are those of the hit. `hash` and `evidence` are empty until the round has ended, because both depend on
    its face-down card. `table` is empty if no row names the table. `anchor`: the newest row of the journal
    that may be published. `seal`: the dealer's face-down card of the round, None if it was not sealed or is
    still face down."""

    table: str
    claim: Claim
    times: Mapping[State, float]
    row: int
    hash: bytes
    evidence: str
    anchor: Anchor | None = None
    seal: CheckedSeal | None = None
    overrides: tuple[RootDecision, ...] = ()


def read_slip(path: Path, number: int) -> JackpotSlip:
    """The slip of a claim. Raises ClaimNotFound, and JournalError if the journal cannot be read."""
    with row_errors(path):
        return _slip(History(path), number)


def _slip(history: History, number: int) -> JackpotSlip:
    moves, file = _moves(history, number)
    hit, claim = moves[0], _claim(moves[-1])
    with history.open(file) as reader:
        near = rows_near_round(reader, hit.row)
    evidence = evidence_hash(near, claim.round)
    return JackpotSlip(
        table=table_identity(row for row in near if row.row < hit.row).table,
        claim=claim,
        times={_claim(row).state: row.content.at for row in reversed(moves)},
        row=hit.row,
        hash=hit.hash if evidence else b"",
        evidence=evidence,
        anchor=newest_anchor(history.path),
        seal=_hole(near, claim.round) if evidence else None,
        overrides=tuple(_overrides(near, hit.row)),
    )


def _overrides(near: Sequence[JournalRow], hit: int) -> Iterator[RootDecision]:
    """What root decided in the round of the hit."""
    snapshots = [row.row for row in near if row.content.kind == SNAPSHOT]
    begin = max((row for row in snapshots if row < hit), default=0)
    end = min((row for row in snapshots if row > hit), default=AFTER_LAST_ROW)
    for row in near:
        if begin < row.row < end and row.content.kind == OVERRIDE_ROW:
            yield RootDecision(row.content.at, cast("Overridden", read_record(row.content)).why)


def _hole(near: Iterable[JournalRow], number: int) -> CheckedSeal | None:
    """The dealer's face-down card of this round."""
    return next((seal for seal in checked_seals(near) if seal.hole and seal.round == number), None)


def _moves(history: History, number: int) -> tuple[list[JournalRow], HistoryFile]:
    """All steps of a claim, oldest first, and the file in which it begins."""
    moves: list[JournalRow] = []
    for file in reversed(history.files()):
        with history.open(file) as reader:
            rows = (reader.at(row) for (row,) in reader.select(_CLAIMS))
            moves += (row for row in rows if _claim(row).number == number)
        if moves and _is_hit(_claim(moves[-1])):
            return moves[::-1], file
    raise ClaimNotFound(f"claim {number} is not in the journal")


def _is_hit(claim: Claim) -> bool:
    """Whether a row of the claim is its first one. That of a linked progressive has no amount yet."""
    return claim.state == "pending" and not (claim.level and claim.decided)


def _claim(row: JournalRow) -> Claim:
    return cast("ClaimMoved", read_record(row.content)).claim
