"""Everything that the journal has about one ended round."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.journal.history import History, row_errors
from controller.past.export.evidence import evidence_hash
from controller.past.export.proof import rows_near_round, table_identity
from controller.past.recall.account import DrawnCard, EvidenceLocation, RoundStory, WonShare
from controller.past.recall.audit import decisions_in_round
from controller.past.recall.corrections import CorrectionIndex, as_corrected
from controller.past.recall.places import RowLocation, locate_round
from controller.past.recall.scenes import RoundStep, RoundSteps, round_steps
from controller.past.recall.summary import dealer_of, summary
from controller.past.replay.rounds import EndedRound, ended_rounds
from controller.past.seals import checked_seals
from controller.table.record.codec import read_record
from controller.table.record.notes import ClaimMoved


class RoundNotFound(JournalError):
    """The round has not ended, or its file is gone."""


@dataclass(frozen=True, slots=True)
class _LocatedRound:
    location: RowLocation
    rows: list[JournalRow]
    ended_round: EndedRound


def round_story(path: Path, number: int) -> RoundStory:
    """Raises RoundNotFound, and JournalError if the journal cannot be read or is damaged there."""
    with row_errors(path):
        history = History(path)
        return _story(history, _locate(history, number))


def steps_of_round(path: Path, number: int) -> RoundSteps:
    """Raises RoundNotFound, and JournalError if the journal cannot be read or is damaged there."""
    with row_errors(path):
        return round_steps(_locate(History(path), number).ended_round)


def _locate(history: History, number: int) -> _LocatedRound:
    location = locate_round(history, number)
    if location is None:
        raise RoundNotFound(
            f"round {number} is not in the journal: it has not ended yet, or its file was removed"
        )
    with history.open(location.file) as reader:
        rows = rows_near_round(reader, location.row)
    ended_round = next(found for found in ended_rounds(rows) if found.number == number)
    return _LocatedRound(location, rows, ended_round)


def _story(history: History, located: _LocatedRound) -> RoundStory:
    location, ended_round = located.location, located.ended_round
    steps, corrections = round_steps(ended_round), CorrectionIndex()
    with history.open(location.file) as reader:
        dealer = dealer_of(reader, location.row)
        decisions = tuple(decisions_in_round(reader, location.row))
        corrections.read_round(reader, location.row)
    corrections.read_after(history, location.row + 1)
    corrected = corrections.of(ended_round.number, history.at)
    final = as_corrected(ended_round.ended, corrected)
    identity = table_identity(row for row in located.rows if row.row <= location.row)
    return RoundStory(
        line=summary(location.row, ended_round.at, final, dealer),
        game=identity.game,
        table=identity.table,
        version=identity.version,
        shown=final.round,
        ended=ended_round.ended.round if final is not ended_round.ended else None,
        closed=steps.scenes[0].at if steps.scenes else None,
        croupiers=_dealers(steps.scenes, dealer),
        drawn=tuple(DrawnCard(step.at, step.card) for step in steps.scenes if step.card),
        seals=checked_seals(row for row in located.rows if row.row <= location.row),
        said=decisions,
        corrections=corrected,
        won=_won_shares(located.rows, ended_round.number),
        evidence=_evidence(located),
        unplayed=steps.unplayed,
        previous=_existing(history, ended_round.number - 1),
        next=_existing(history, ended_round.number + 1),
    )


def _dealers(steps: Iterable[RoundStep], last: str) -> tuple[str, ...]:
    """Everyone who dealt, in order."""
    return tuple(dict.fromkeys(filter(None, (*(step.felt.croupier for step in steps), last))))


def _won_shares(rows: Iterable[JournalRow], number: int) -> tuple[WonShare, ...]:
    moves = (read_record(row.content) for row in rows if row.content.kind == "claim")
    claims = {move.claim.number: move.claim for move in moves if isinstance(move, ClaimMoved)}
    return tuple(
        WonShare(claim.number, claim.spot, claim.seat, claim.cents, claim.hit)
        for claim in claims.values()
        if claim.round == number
    )


def _evidence(located: _LocatedRound) -> EvidenceLocation:
    location, inputs = located.location, located.ended_round.rows
    ending = next(row for row in located.rows if row.row == location.row)
    first = inputs[0].row if inputs else ending.row
    digest = evidence_hash(located.rows, located.ended_round.number)
    return EvidenceLocation(location.file.path.name, first, ending.row, ending.hash.hex(), digest)


def _existing(history: History, number: int) -> int:
    """The number, 0 if the journal does not have the round."""
    return number if number and locate_round(history, number) else 0
