"""A journal of as many rows as wanted: a night at one table, played again and again on later days.

The rounds of the night differ from each other, dealers change, a floor voids and corrects. Each repetition
has later times and higher numbers of rounds. Searches and reports read it like any other journal; a replay
finds the snapshots of the first night only.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from controller.journal.chain import RowContent
from controller.journal.closed_files import list_closed_files
from controller.journal.journal import ROLL_ROWS, Journal
from controller.journal.signing import Signer
from controller.table.state.snapshot import opening_row
from tests.fixtures.random_nights import RandomNight

GAME = "blackjack-x"
ROUNDS = 300
"""Rounds of the night."""
SECONDS_BETWEEN = 72.0
"""From the end of a round to the end of the next: 1,200 rounds a day, as in 20 hours of 60 rounds."""
_NUMBER = re.compile(r'(?<="round":\{"number":)[0-9]+')
_CORRECTED = re.compile(r'(?<=^\{"number":)[0-9]+')


@dataclass(frozen=True, slots=True)
class LongJournal:
    """The first round ended at `begin`, the last one at `end`, in seconds of Unix time."""

    path: Path
    rows: int
    rounds: int
    files: int
    begin: float
    end: float


def write(path: Path, rows: int, most: int = ROLL_ROWS) -> LongJournal:
    """A journal of at least so many rows, in files of `most` rows."""
    night = RandomNight(GAME, 1)
    for _ in range(ROUNDS):
        night.play_random_round()
    opening = opening_row(night.at, night.state)
    rounds = list(_evenly_timed(night.rows))
    with Journal(path, signer=Signer(bytes(range(32))), most=most) as journal:
        repetition = begun = last = 0
        while last < rows:
            journal.append([_repeated(row, repetition) for row in rounds])
            repetition += 1
            last = _last_row(journal)
            if (
                last - begun >= most
            ):  # not only if the disk is quick: journals of two runs have the same files
                journal.roll([_repeated(opening, repetition)])
                begun = last
        last = _last_row(journal)
    ends = [row.at for row in rounds if row.kind == "round"]
    return LongJournal(
        path,
        last,
        ROUNDS * repetition,
        len(list_closed_files(path)) + 1,
        ends[0],
        ends[-1] + (repetition - 1) * ROUNDS * SECONDS_BETWEEN,
    )


def _last_row(journal: Journal) -> int:
    return journal.head.row if journal.head else 0


def _evenly_timed(rows: list[RowContent]) -> Iterator[RowContent]:
    """The rows with a round every SECONDS_BETWEEN."""
    at = begin = rows[0].at
    for row in rows:
        yield replace(row, at=at)
        if row.kind == "snapshot":
            at += SECONDS_BETWEEN
    assert at == begin + ROUNDS * SECONDS_BETWEEN


def _repeated(row: RowContent, repetition: int) -> RowContent:
    def later(found: re.Match[str]) -> str:
        return str(int(found[0]) + repetition * ROUNDS)

    body = row.body
    if row.kind in ("round", "corrected"):
        body = _NUMBER.sub(later, body)
    if row.kind == "corrected":
        body = _CORRECTED.sub(later, body)
    at = row.at + repetition * ROUNDS * SECONDS_BETWEEN
    return RowContent(at, row.kind, body, row.device, row.log, row.number)
