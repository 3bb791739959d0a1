"""Rows to derived records. The reader of each kind of row is that of the table: what the audit log lists is
an action, what the table calls significant is an event."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, cast

from controller.floor.derived.records import (
    Course,
    DerivedRecords,
    PlayedRound,
    StoredAction,
    StoredEvent,
    StoredHit,
    StoredRound,
)
from controller.journal.chain import JournalRow
from controller.journal.history import BAD_ROW
from controller.past.recall.audit import ON_REQUEST_ONLY, audit_line
from controller.past.significant import is_play, significant_event
from controller.table.record.codec import read_ended, read_record
from controller.table.record.kinds import SNAPSHOT
from controller.table.record.notes import ClaimMoved, RoundCorrected


def derive(rows: Iterable[JournalRow], course: Course) -> tuple[DerivedRecords, Course]:
    """What rows that follow each other say, and how play stands after them; `course` is before them. A row
    that makes no sense is skipped."""
    found = DerivedRecords()
    for entry in rows:
        try:
            if read := READERS.get(entry.content.kind):
                course = read(entry, course, found)
            _add_action(entry, found)
            _add_event(entry, found)
        except BAD_ROW as error:
            found.unreadable.append((entry.row, f"row {entry.row} of kind {entry.content.kind}: {error!r}"))
    return found, course


def _snapshot(entry: JournalRow, course: Course, _found: DerivedRecords) -> Course:
    record = json.loads(entry.content.body)
    return replace(
        course,
        dealer=str(record.get("croupier", course.dealer)),
        game=str(record["rules"]["game"]),
        first=entry.row,
    )


def _started(entry: JournalRow, course: Course, _found: DerivedRecords) -> Course:
    return replace(course, game=course.game or str(json.loads(entry.content.body)["game"]))


def _dealer(entry: JournalRow, course: Course, _found: DerivedRecords) -> Course:
    return replace(course, dealer=str(json.loads(entry.content.body)["who"]))


def _round(entry: JournalRow, course: Course, found: DerivedRecords) -> Course:
    shown = read_ended(entry.content).round
    found.rounds.append(
        StoredRound(
            number=shown.number,
            first=course.first or entry.row,
            last=entry.row,
            at=entry.content.at,
            dealer=course.dealer,
            game=course.game,
            played=PlayedRound.of(shown),
        )
    )
    return course


def _corrected(entry: JournalRow, course: Course, found: DerivedRecords) -> Course:
    record = cast("RoundCorrected", read_record(entry.content))
    if record.ended:
        found.corrected.append((record.number, PlayedRound.of(record.ended.round)))
    return course


def _claim(entry: JournalRow, course: Course, found: DerivedRecords) -> Course:
    claim = cast("ClaimMoved", read_record(entry.content)).claim
    at, of = entry.content.at, (claim.number, claim.round, claim.seat, claim.spot, claim.cents, claim.state)
    found.hits.append(StoredHit(entry.row, at, *of))
    return course


def _add_action(entry: JournalRow, found: DerivedRecords) -> None:
    line = audit_line(entry)
    if line and line.sort not in ON_REQUEST_ONLY:
        who, *others = line.persons or ("",)
        action = StoredAction(line.row, line.at, line.sort, who, ", ".join(others), line.text)
        found.actions.append(action)


def _add_event(entry: JournalRow, found: DerivedRecords) -> None:
    if is_play(entry.content):
        return
    if event := significant_event(entry.content):
        at = entry.content.at
        found.events.append(StoredEvent(entry.row, at, event.level, event.code, event.device, event.text))


RowReader = Callable[[JournalRow, Course, DerivedRecords], Course]
READERS: Final[Mapping[str, RowReader]] = {
    SNAPSHOT: _snapshot,
    "started": _started,
    "dealer": _dealer,
    "round": _round,
    "corrected": _corrected,
    "claim": _claim,
}
"""By kind of row; every other kind says nothing about rounds and claims."""
