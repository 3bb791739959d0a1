"""Rows of rounds that were really played, from which synthetic tables make journals of their own.

`recording.gz` holds one row a line, as a JSON list of `[at, kind, device, log (hex), number, body]`. It was
written from the journal of `tableside demo --rounds 24 --seed 4` by

    python -m controller.floor.drills.recording JOURNAL

Checkpoints are left out: each table signs its own journal.
"""

import gzip
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from controller.journal.chain import RowContent
from controller.journal.history import History
from controller.journal.signing import CHECKPOINT
from controller.table.record.kinds import SNAPSHOT

FILE: Final = Path(__file__).with_name("recording.gz")
ROUND: Final = "round"
NUMBER: Final = '"number":{number},'
"""How the number of its round stands in the row of a round."""


@dataclass(frozen=True, slots=True)
class Recording:
    """`opening`: what a table writes before its first round; `rounds`: each up to its snapshot."""

    opening: tuple[RowContent, ...]
    rounds: tuple[tuple[RowContent, ...], ...]

    def opened(self, at: float) -> list[RowContent]:
        """The rows of a table that starts at this time, in seconds of Unix time."""
        return _moved(self.opening, at)

    def round(self, number: int, at: float) -> list[RowContent]:
        """The rows of a round, which are those of a recorded one with another number and another time."""
        played = self.rounds[(number - 1) % len(self.rounds)]
        recorded = (number - 1) % len(self.rounds) + 1
        old, new = NUMBER.format(number=recorded), NUMBER.format(number=number)
        return [
            replace(row, body=row.body.replace(old, new, 1)) if row.kind == ROUND else row
            for row in _moved(played, at)
        ]


@cache
def recording() -> Recording:
    """The one that is part of the product."""
    lines = gzip.decompress(FILE.read_bytes()).decode().splitlines()
    rows = [
        RowContent(at, kind, body, device, bytes.fromhex(log), number)
        for at, kind, device, log, number, body in map(json.loads, lines)
    ]
    return split(rows)


def split(rows: Iterable[RowContent]) -> Recording:
    """The rows of a journal from row 1 on; what follows the last snapshot is left out."""
    first, *rounds = _rounds(row for row in rows if row.kind != CHECKPOINT)
    begin = next(index for index, row in enumerate(first) if _is_wager(row))
    return Recording(tuple(first[:begin]), (tuple(first[begin:]), *map(tuple, rounds)))


def _rounds(rows: Iterable[RowContent]) -> Iterator[list[RowContent]]:
    played = list[RowContent]()
    for row in rows:
        played.append(row)
        if row.kind == SNAPSHOT:
            yield played
            played = []


def _is_wager(row: RowContent) -> bool:
    return row.device == "sensors" and '"wager"' in row.body


def _moved(rows: Sequence[RowContent], at: float) -> list[RowContent]:
    since = at - rows[0].at
    return [replace(row, at=round(row.at + since, 6)) for row in rows]


def _write(path: Path) -> None:
    history = History(path)
    rows = (entry.content for entry in history.rows(1, history.files()[-1].last))
    lines = [
        json.dumps([row.at, row.kind, row.device, row.log.hex(), row.number, row.body], ensure_ascii=False)
        for row in rows
        if row.kind != CHECKPOINT
    ]
    FILE.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    _write(Path(sys.argv[1]))
