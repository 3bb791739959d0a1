"""Searches the files of the floor's store for rounds, newest first.

All files are read together in the order of the rounds, as far back as one question goes: late rows are in
the file of the day on which they arrived. A round that was corrected on a later day is also in the newer
file, and counts there.
"""

import heapq
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from controller.floor.day_file import DayReader
from controller.floor.derived.records import StoredRound
from controller.floor.derived.tables import ROUND_COLUMNS, stored_round
from controller.floor.recall.query import FloorQuery, SearchPlace, matches
from controller.floor.store import FloorArchive
from controller.journal.history import TimeSpan
from controller.text.characters import is_part

MOST: Final = 500
"""Rounds in one answer."""
FURTHEST: Final = 8 * 86400.0
"""Seconds that one question goes back; the next question goes on from there."""
_LAST: Final = "SELECT max(at) FROM round WHERE (at, t, number) < (?, ?, ?)"
_PLACE: Final = "(at, t, number) < (:before_at, :before_table, :before_number) AND at >= :oldest"
_COPIED: Final = "SELECT t, e, number FROM round WHERE copied"
_DEALERS: Final = "SELECT DISTINCT dealer FROM round WHERE at >= ? AND at <= ?"
_ACTIONS: Final = "SELECT t, e, row, kind, who, second, text FROM action"
_ROUND_OF_ROW: Final = (
    "SELECT number FROM round WHERE t = ? AND e = ? AND first <= ? AND last >= ? ORDER BY number LIMIT 1"
)
RoundName = tuple[str, str, int]
"""Table, epoch and number."""


@dataclass(frozen=True, slots=True)
class FoundRound:
    """A round of a table; `epoch` names its journal."""

    table: str
    epoch: str
    round: StoredRound

    @property
    def at(self) -> float:
        """When it ended, in seconds of Unix time."""
        return self.round.at

    @property
    def cards(self) -> tuple[str, ...]:
        cards = self.round.played.cards
        return tuple(cards[place : place + 2] for place in range(0, len(cards), 2))

    @property
    def place(self) -> SearchPlace:
        return SearchPlace(self.round.at, self.table, self.round.number)

    @property
    def name(self) -> RoundName:
        return self.table, self.epoch, self.round.number


@dataclass(frozen=True, slots=True)
class FoundRounds:
    """`rounds`: newest first. `before`: ask again with it for older ones; None: there are none."""

    rounds: tuple[FoundRound, ...]
    before: SearchPlace | None


def search(archive: FloorArchive, query: FloorQuery, most: int = 50) -> FoundRounds:
    """The newest `most` rounds that match, as far back as one question goes. Raises StoreError,
    sqlite3.Error."""
    most = min(most, MOST)
    begin = min(query.before, SearchPlace(query.rounds.span.until, "", 0))
    spans = archive.spans()
    newest = _last_time(archive, spans, begin)
    if newest is None or newest < query.rounds.span.since:
        return FoundRounds((), None)
    oldest = max(query.rounds.span.since, newest - FURTHEST)
    with ExitStack() as opened:
        days = [day for day, span in spans if span.since <= begin.at and span.until >= oldest]
        files = [opened.enter_context(archive.open(day)) for day in days]
        found = list[FoundRound]()
        for one in heapq.merge(*_streams(files, query, begin, oldest), key=_place_of, reverse=True):
            if len(found) == most:
                return FoundRounds(tuple(found), found[-1].place)
            found.append(one)
    further = SearchPlace(oldest, "", 0)
    rest = _last_time(archive, spans, further)
    older = rest is not None and rest >= query.rounds.span.since
    return FoundRounds(tuple(found), further if older else None)


def search_all(archive: FloorArchive, query: FloorQuery, most: int) -> FoundRounds:
    """As many questions as it takes to find so many rounds, or all. Raises StoreError, sqlite3.Error."""
    found = search(archive, query, most)
    while found.before and len(found.rounds) < most:
        further = search(archive, replace(query, before=found.before), most - len(found.rounds))
        found = FoundRounds((*found.rounds, *further.rounds), further.before)
    return found


def copied_rounds(file: DayReader) -> set[RoundName]:
    """The rounds of earlier days that the file has, because they were corrected later."""
    return set(file.database.execute(_COPIED))


def _place_of(found: FoundRound) -> SearchPlace:
    return found.place


def _last_time(
    archive: FloorArchive, spans: Sequence[tuple[date, TimeSpan]], before: SearchPlace
) -> float | None:
    """When the last round before a place ended; None if there is none. Only files that can hold it are
    opened."""
    last: float | None = None
    place = before.at, before.table, before.number
    for day, span in sorted(spans, key=lambda one: one[1].until, reverse=True):
        if last is not None and span.until < last:
            return last
        if span.since <= before.at:
            with archive.open(day) as file:
                at = file.database.execute(_LAST, place).fetchone()[0]
            last = at if last is None else max(last, at or last)
    return last


def _streams(
    files: Sequence[DayReader], query: FloorQuery, begin: SearchPlace, oldest: float
) -> Iterator[Iterator[FoundRound]]:
    """What matches in each file, newest round first. `files`: newest first."""
    replaced = set[RoundName]()
    for file in files:
        yield _matching(file, query, begin, oldest, frozenset(replaced))
        replaced |= copied_rounds(file)


def _matching(
    file: DayReader, query: FloorQuery, begin: SearchPlace, oldest: float, replaced: frozenset[RoundName]
) -> Iterator[FoundRound]:
    """`replaced`: rounds that a newer file has."""
    parameters, conditions = query.parameters(), query.conditions()
    if query.rounds.dealer:
        parameters["dealers"] = json.dumps(_dealers(file, query.rounds.dealer, oldest, begin.at))
        conditions.append("dealer IN (SELECT value FROM json_each(:dealers))")
    if query.rounds.person or query.act:
        parameters["numbers"] = json.dumps(list(_rounds_with_acts(file, query)))
        conditions.append(_NAMED)
    place = {"before_at": begin.at, "before_table": begin.table, "before_number": begin.number}
    where = " AND ".join((_PLACE, *conditions))
    statement = f"SELECT t, e, {ROUND_COLUMNS} FROM round WHERE {where} ORDER BY at DESC, t DESC, number DESC"  # noqa: S608 - constants
    for table, epoch, *fields in file.database.execute(statement, parameters | place | {"oldest": oldest}):
        found = FoundRound(table, epoch, stored_round(tuple(fields)))
        if matches(query, found.round.played.lines, found.round.money.digits) and found.name not in replaced:
            yield found


_NAMED: Final = (
    "(t, e, number) IN (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),"
    " json_extract(value, '$[2]') FROM json_each(:numbers))"
)


def _dealers(file: DayReader, part: str, oldest: float, newest: float) -> list[str]:
    """The dealers in the file whose names contain this part."""
    return [name for (name,) in file.database.execute(_DEALERS, (oldest, newest)) if is_part(part, name)]


def _rounds_with_acts(file: DayReader, query: FloorQuery) -> Iterator[RoundName]:
    """The rounds in which this person did this."""
    for table, epoch, row, kind, who, second, text in file.database.execute(_ACTIONS):
        if query.tables and table not in query.tables:
            continue
        if is_part(query.rounds.person, f"{who}, {second}") and is_part(query.act, f"{kind} {text}"):
            for (number,) in file.database.execute(_ROUND_OF_ROW, (table, epoch, row, row)):
                yield table, epoch, number
