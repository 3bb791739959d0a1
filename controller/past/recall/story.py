"""All that is kept of one ended round."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.past.export.near import evidence_hash, rows_near
from controller.past.export.proof import table_identity
from controller.past.recall.account import DrawnCard, EvidenceLocation, RoundStory, WonShare
from controller.past.recall.corrections import Correction, CorrectionIndex, as_corrected
from controller.past.recall.places import RowLocation, locate_round
from controller.past.recall.said import decisions_in_round
from controller.past.recall.scenes import RoundStep, RoundSteps, round_steps
from controller.past.recall.stretches import open_file, search_errors
from controller.past.recall.summary import dealer_of, summary
from controller.past.replay.rounds import EndedRound, ended_rounds
from controller.table.record.codec import read_record
from controller.table.record.notes import ClaimMoved


class RoundNotFound(JournalError):
    """A round has not ended yet, or is kept no more."""


@dataclass(frozen=True, slots=True)
class _LocatedRound:
    location: RowLocation
    rows: list[JournalRow]
    ended_round: EndedRound


def round_story(path: Path, number: int) -> RoundStory:
    """Raises NoRound, and JournalError where the journal cannot be read or is damaged there."""
    with search_errors(path):
        return _story(path, _locate(path, number))


def steps_of_round(path: Path, number: int) -> RoundSteps:
    """A round step by step. Raises as `story` does."""
    with search_errors(path):
        return round_steps(_locate(path, number).ended_round)


def _locate(path: Path, number: int) -> _LocatedRound:
    place = locate_round(path, number)
    if place is None:
        raise RoundNotFound(f"round {number} is not in the journal: it has not ended yet, or is kept no more")
    around = rows_near(place.file, place.row)
    ended_round = next(kept for kept in ended_rounds(around) if kept.number == number)
    return _LocatedRound(place, around, ended_round)


def _story(path: Path, found: _LocatedRound) -> RoundStory:
    ended_round, played = found.ended_round, round_steps(found.ended_round)
    with open_file(found.location.file, found.location.row) as database:
        dealt = dealer_of(database, found.location.row)
        decisions = tuple(decisions_in_round(database, found.location.file, found.location.row))
    corrections = _corrections(path, found)
    final = as_corrected(ended_round.ended, corrections)
    home = table_identity(entry for entry in found.rows if entry.row <= found.location.row)
    return RoundStory(
        line=summary(found.location.row, ended_round.at, final, dealt),
        game=home.game,
        table=home.table,
        version=home.version,
        shown=final.round,
        ended=ended_round.ended.round if final is not ended_round.ended else None,
        closed=played.scenes[0].at if played.scenes else None,
        croupiers=_dealers(played.scenes, dealt),
        drawn=tuple(_drawn_cards(played.scenes)),
        said=decisions,
        corrections=corrections,
        won=_won_shares(found.rows, ended_round.number),
        evidence=_evidence(found),
        unplayed=played.unplayed,
        previous=_existing(path, ended_round.number - 1),
        next=_existing(path, ended_round.number + 1),
    )


def _corrections(path: Path, found: _LocatedRound) -> tuple[Correction, ...]:
    corrections = CorrectionIndex()
    with open_file(found.location.file, found.location.row) as database:
        corrections.read_round(database, found.location.file, found.location.row)
    corrections.read_after(path, found.location.row + 1)
    return corrections.of(found.ended_round.number)


def _dealers(scenes: Iterable[RoundStep], last: str) -> tuple[str, ...]:
    """Who dealt, one after the other."""
    return tuple(dict.fromkeys(filter(None, (*(scene.felt.croupier for scene in scenes), last))))


def _drawn_cards(scenes: Iterable[RoundStep]) -> Iterator[DrawnCard]:
    """Every card in order; the one that lay face down is told by the dealer's hand."""
    return (DrawnCard(scene.at, scene.card) for scene in scenes if scene.card)


def _won_shares(rows: Iterable[JournalRow], number: int) -> tuple[WonShare, ...]:
    moves = (read_record(entry.content) for entry in rows if entry.content.kind == "claim")
    claims = {move.claim.number: move.claim for move in moves if isinstance(move, ClaimMoved)}
    return tuple(
        WonShare(claim.number, claim.spot, claim.seat, claim.cents, claim.hit)
        for claim in claims.values()
        if claim.round == number
    )


def _evidence(found: _LocatedRound) -> EvidenceLocation:
    rows, ending = (
        found.ended_round.rows,
        next(entry for entry in found.rows if entry.row == found.location.row),
    )
    first = rows[0].row if rows else ending.row
    proof = evidence_hash(found.rows, found.ended_round.number)
    return EvidenceLocation(found.location.file.name, first, ending.row, ending.hash.hex(), proof)


def _existing(path: Path, number: int) -> int:
    """The number, 0 where no such round is kept."""
    return number if number and locate_round(path, number) else 0
