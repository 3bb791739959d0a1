"""The rows that prove one ended round: all its rows, and those up to the checkpoint that signs it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise

from controller.journal.chain import START, JournalRow
from controller.journal.errors import JournalError
from controller.journal.history import FileReader
from controller.journal.signing import CHECKPOINT, signed_by
from controller.past.export.chapters import RoundRows, body_of, publishable, rounds_of_rows
from controller.past.replay.rounds import CORRECTED, EndedRound, ended_rounds
from controller.table.record.kinds import SNAPSHOT

SNAPSHOTS_NEAR = 3
"""The snapshot before a round, the one after it, and the one after the next round."""


@dataclass(frozen=True, slots=True)
class TableIdentity:
    """The table, its game, and the version of the program; empty if no row says so."""

    table: str = ""
    game: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class RoundProof:
    """`before`: the hash before the first of `rows`. `rows` end with the `checkpoint`, if one signs the
    round. `claims`: steps of claims on jackpots won in the round, at any time; `corrections`: corrections
    after its end."""

    round: EndedRound
    before: bytes
    rows: tuple[JournalRow, ...]
    checkpoint: JournalRow | None
    identity: TableIdentity
    claims: tuple[JournalRow, ...]
    corrections: tuple[JournalRow, ...]

    @property
    def ending(self) -> JournalRow:
        """The row in which the round ends."""
        return next(entry for entry in self.rows if entry.content.kind == "round")


def rows_near_round(reader: FileReader, row: int) -> list[JournalRow]:
    """The rows of the round that ends or goes on in a row, those of the round after it, and one row before
    them, as far as they are in this file. Raises JournalError."""
    begin = reader.last_of(SNAPSHOT, row)
    rows, snapshots = list[JournalRow](), 0
    for found in reader.rows(begin - 1 if begin else 1):
        rows.append(found)
        snapshots += found.content.kind == SNAPSHOT
        if snapshots == SNAPSHOTS_NEAR:
            break
    return rows


class NoRound(JournalError):
    """The journal does not have the round, or it has not ended."""


def prove(entries: Iterable[JournalRow], number: int) -> RoundProof:
    """Raises NoRound, and JournalError for rows that make no sense."""
    before, known = START, list[int]()
    read = rounds_of_rows(entries)
    for chapter in read:
        ends = chapter.ended and _holds_round(chapter)
        if ends and chapter.number == number:
            return _proof(chapter, before, read)
        before = chapter.rows[-1].hash if chapter.rows else before
        known += [chapter.number] * ends
    raise NoRound(f"round {number} is not there, or has not ended yet; {_ended_rounds(known)}")


def table_identity(rows: Iterable[JournalRow]) -> TableIdentity:
    """The table that these rows come from, as their snapshot or last start says."""
    found = TableIdentity()
    for entry in rows:
        if entry.content.kind in ("started", SNAPSHOT):
            record = body_of(entry)
            game = record["rules"]["game"] if "rules" in record else record["game"]
            found = TableIdentity(str(record.get("table", "")), str(game), str(record.get("version", "")))
    return found


def _proof(chapter: RoundRows, before: bytes, later: Iterator[RoundRows]) -> RoundProof:
    following = next(later, None)
    signing = _signing_rows(following) if following else ()
    rows = (*chapter.rows, *signing)
    _check_signatures(rows)
    coming = chain(following.rows if following else (), chain.from_iterable(each.rows for each in later))
    after = [entry for entry in coming if entry.content.kind in ("claim", CORRECTED)]
    claims = filter(partial(_claims, chapter.number), (*chapter.rows, *after))
    corrections = filter(partial(_corrects, chapter.number), after)
    ended_round = next(kept for kept in ended_rounds(chapter.rows) if kept.number == chapter.number)
    return RoundProof(
        ended_round,
        before,
        rows,
        signing[-1] if signing else None,
        table_identity(chapter.rows),
        tuple(claims),
        tuple(corrections),
    )


def _signing_rows(following: RoundRows) -> tuple[JournalRow, ...]:
    """The rows from the end of the round to the next checkpoint. Empty if a start, a key or a card comes
    first: a checkpoint that is written later must not change the proof."""
    safe = publishable(following.rows)
    for place, entry in enumerate(safe):
        if entry.content.kind == "started":
            break
        if entry.content.kind == CHECKPOINT:
            return tuple(safe[: place + 1])
    return ()


def _check_signatures(rows: tuple[JournalRow, ...]) -> None:
    for earlier, entry in pairwise(rows):
        if entry.content.kind == CHECKPOINT and signed_by(entry.content, earlier) is None:
            raise JournalError(f"row {entry.row} of the journal is not a signature of the row before it")


def _holds_round(chapter: RoundRows) -> bool:
    return any(entry.content.kind == "round" for entry in chapter.rows)


def _claims(number: int, entry: JournalRow) -> bool:
    return entry.content.kind == "claim" and body_of(entry)["claim"]["round"] == number


def _corrects(number: int, entry: JournalRow) -> bool:
    return entry.content.kind == CORRECTED and body_of(entry)["number"] == number


def _ended_rounds(known: list[int]) -> str:
    if not known:
        return "no round has ended yet"
    return f"there are rounds {known[0]} to {known[-1]}" if len(known) > 1 else f"there is round {known[0]}"
