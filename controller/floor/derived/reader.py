"""Rows to derived records. The reader of each kind of row is that of the table: what the audit log lists is
an action, what the table calls significant is an event."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from json import JSONDecoder
from typing import Any, Final

from controller.currency import named_currency, use, using
from controller.floor.derived.records import (
    CorrectedRound,
    Course,
    DerivedRecords,
    PlayedRound,
    StoredAction,
    StoredEvent,
    StoredHit,
    StoredReading,
    StoredRound,
)
from controller.journal.chain import JournalRow
from controller.past.recall.audit import ON_REQUEST_ONLY, line_of
from controller.past.recall.summary import dealer_in
from controller.past.significant import event_of, is_play
from controller.table.record.codec import read_record
from controller.table.record.events import DealerOn, Input, Started
from controller.table.record.kinds import BY_NAME, SNAPSHOT
from controller.table.record.notes import ClaimMoved, LevelRead, Note, RoundCorrected, RoundEnded

MOST_WHY: Final = 200
"""Characters of the reason why a row makes no sense: it may repeat what the row says."""


def derive(rows: Iterable[JournalRow], course: Course) -> tuple[DerivedRecords, Course]:
    """What rows that follow each other say, and how play stands after them; `course` is before them. Of a row
    that makes no sense, nothing is derived. Texts have amounts in the currency of the journal."""
    found = DerivedRecords()
    with using(course.money):
        for entry in rows:
            if is_play(entry.content):
                continue
            of_row = DerivedRecords()
            try:
                course = _derive_row(entry, course, of_row)
            except Exception as error:  # noqa: BLE001 - no row of one table may hold up those of the others
                why = f"row {entry.row} of kind {entry.content.kind:.60}: {error!r:.{MOST_WHY}}"
                found.unreadable.append((entry.row, why))
            else:
                found.add(of_row)
    return found, course


def _derive_row(entry: JournalRow, course: Course, found: DerivedRecords) -> Course:
    """Reads the record once: that is most of the work."""
    kind = entry.content.kind
    if kind == SNAPSHOT:
        return _snapshot(entry, course)
    if kind not in BY_NAME or not (BY_NAME[kind].heading or BY_NAME[kind].code or kind in SILENT):
        return course
    record = read_record(entry.content)
    if read := READERS.get(type(record)):
        course = read(entry, record, course, found)
    _add_action(entry, record, found)
    if event := event_of(record):
        at = entry.content.at
        found.events.append(StoredEvent(entry.row, at, event.level, event.code, event.device, event.text))
    return course


def _snapshot(entry: JournalRow, course: Course) -> Course:
    """Not all of a snapshot is parsed: it can have 30,000 characters."""
    body = entry.content.body
    _, field, rest = body.partition(RULES)
    rules = JSONDecoder().raw_decode(rest)[0] if field else {}
    currency = _use(str(rules.get("currency", course.currency)))
    return Course(dealer_in(body), str(rules.get("game", course.game)), entry.row, currency)


def _use(code: str) -> str:
    """The code, after whose row amounts are in its currency. Raises ValueError if no currency has it."""
    use(named_currency(code))
    return code


def _started(_entry: JournalRow, record: Started, course: Course, _found: DerivedRecords) -> Course:
    return replace(course, game=course.game or record.game, currency=_use(record.currency))


def _dealer(_entry: JournalRow, record: DealerOn, course: Course, _found: DerivedRecords) -> Course:
    return replace(course, dealer=record.who)


def _round(entry: JournalRow, record: RoundEnded, course: Course, found: DerivedRecords) -> Course:
    found.rounds.append(
        StoredRound(
            number=record.round.number,
            first=course.first or entry.row,
            last=entry.row,
            at=entry.content.at,
            dealer=course.dealer,
            game=course.game,
            played=PlayedRound.of(record.round),
            currency=course.currency,
        )
    )
    return course


def _corrected(_entry: JournalRow, record: RoundCorrected, course: Course, found: DerivedRecords) -> Course:
    if record.ended:
        found.corrected.append(CorrectedRound(record.number, PlayedRound.of(record.ended.round)))
    return course


def _claim(entry: JournalRow, record: ClaimMoved, course: Course, found: DerivedRecords) -> Course:
    claim = record.claim
    of = claim.number, claim.round, claim.seat, claim.spot, claim.cents, claim.state, claim.level, claim.n
    found.hits.append(StoredHit(entry.row, entry.content.at, *of, course.currency))
    return course


def _reading(entry: JournalRow, record: LevelRead, course: Course, found: DerivedRecords) -> Course:
    placed, void = (record.wagers, record.wagered), (record.voided_wagers, record.voided)
    found.readings.append(StoredReading(entry.row, entry.content.at, record.level, *placed, *void))
    return course


def _add_action(entry: JournalRow, record: Input | Note, found: DerivedRecords) -> None:
    line = line_of(entry, record)
    if line and line.sort not in ON_REQUEST_ONLY:
        who, *others = line.persons or ("",)
        action = StoredAction(line.row, line.at, line.sort, who, ", ".join(others), line.text)
        found.actions.append(action)


RULES: Final = '"rules":'
"""The field with which a snapshot begins."""
SILENT: Final = frozenset({"event", "level read"})
"""Further kinds to read: an event says by itself whether it is significant."""
READERS: Final[Mapping[type, Callable[[JournalRow, Any, Course, DerivedRecords], Course]]] = {
    Started: _started,
    DealerOn: _dealer,
    RoundEnded: _round,
    RoundCorrected: _corrected,
    ClaimMoved: _claim,
    LevelRead: _reading,
}
"""By type of record; every other type says nothing about rounds and claims."""
