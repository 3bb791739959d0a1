"""All that is kept of one ended round."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.journal.chain import Entry
from controller.journal.errors import JournalError
from controller.past.export.near import evidence_hash, near
from controller.past.export.proof import house
from controller.past.recall.account import Drawn, Evidence, Story, Won
from controller.past.recall.corrections import Correction, Corrections, now
from controller.past.recall.places import Place, place_of
from controller.past.recall.said import said_of
from controller.past.recall.scenes import Play, Scene, play
from controller.past.recall.stretches import opened, searched
from controller.past.recall.summary import croupier, summary
from controller.past.replay.rounds import Kept, rounds
from controller.table.record.codec import read_record
from controller.table.record.notes import ClaimMoved


class NoRound(JournalError):
    """A round has not ended yet, or is kept no more."""


@dataclass(frozen=True, slots=True)
class _Found:
    place: Place
    near: list[Entry]
    kept: Kept


def story(path: Path, number: int) -> Story:
    """Raises NoRound, and JournalError where the journal cannot be read or is damaged there."""
    with searched(path):
        return _story(path, _found(path, number))


def scenes(path: Path, number: int) -> Play:
    """A round step by step. Raises as `story` does."""
    with searched(path):
        return play(_found(path, number).kept)


def _found(path: Path, number: int) -> _Found:
    place = place_of(path, number)
    if place is None:
        raise NoRound(f"round {number} is not in the journal: it has not ended yet, or is kept no more")
    around = near(place.file, place.row)
    kept = next(kept for kept in rounds(around) if kept.number == number)
    return _Found(place, around, kept)


def _story(path: Path, found: _Found) -> Story:
    kept, played = found.kept, play(found.kept)
    with opened(found.place.file, found.place.row) as database:
        dealt = croupier(database, found.place.row)
        said = tuple(said_of(database, found.place.file, found.place.row))
    corrections = _put_right(path, found)
    told = now(kept.ended, corrections)
    home = house(entry for entry in found.near if entry.row <= found.place.row)
    return Story(
        line=summary(found.place.row, kept.at, told, dealt),
        game=home.game,
        table=home.table,
        version=home.version,
        shown=told.round,
        ended=kept.ended.round if told is not kept.ended else None,
        closed=played.scenes[0].at if played.scenes else None,
        croupiers=_croupiers(played.scenes, dealt),
        drawn=tuple(_drawn(played.scenes)),
        said=said,
        corrections=corrections,
        won=_won(found.near, kept.number),
        evidence=_evidence(found),
        unplayed=played.unplayed,
        previous=_there(path, kept.number - 1),
        next=_there(path, kept.number + 1),
    )


def _put_right(path: Path, found: _Found) -> tuple[Correction, ...]:
    corrections = Corrections()
    with opened(found.place.file, found.place.row) as database:
        corrections.take_of(database, found.place.file, found.place.row)
    corrections.take_behind(path, found.place.row + 1)
    return corrections.of(found.kept.number)


def _croupiers(scenes: Iterable[Scene], last: str) -> tuple[str, ...]:
    """Who dealt, one after the other."""
    return tuple(dict.fromkeys(filter(None, (*(scene.felt.croupier for scene in scenes), last))))


def _drawn(scenes: Iterable[Scene]) -> Iterator[Drawn]:
    """Every card in order; the one that lay face down is told by the dealer's hand."""
    return (Drawn(scene.at, scene.card) for scene in scenes if scene.card)


def _won(rows: Iterable[Entry], number: int) -> tuple[Won, ...]:
    moves = (read_record(entry.content) for entry in rows if entry.content.kind == "claim")
    claims = {move.claim.number: move.claim for move in moves if isinstance(move, ClaimMoved)}
    return tuple(
        Won(claim.number, claim.spot, claim.seat, claim.cents, claim.hit)
        for claim in claims.values()
        if claim.round == number
    )


def _evidence(found: _Found) -> Evidence:
    rows, ending = found.kept.rows, next(entry for entry in found.near if entry.row == found.place.row)
    first = rows[0].row if rows else ending.row
    proof = evidence_hash(found.near, found.kept.number)
    return Evidence(found.place.file.name, first, ending.row, ending.hash.hex(), proof)


def _there(path: Path, number: int) -> int:
    """The number, 0 where no such round is kept."""
    return number if number and place_of(path, number) else 0
