"""A table without devices: its journal is written and signed by the product's own writer, with rows of rounds
that were really played."""

import hashlib
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from controller.floor.day_file import JournalName
from controller.floor.drills.recording import ROUND, recording
from controller.floor.projector import Admission
from controller.journal.chain import START, JournalRow, RowContent
from controller.journal.history import History
from controller.journal.journal import Journal
from controller.journal.signing import Signer
from controller.property.subjects import epoch_of

JOURNAL: Final = "journal"
"""The journal's file in the folder of its table."""
IN_PLAY: Final = 2 / 3
"""Which part of a round's rows `begin` writes: cards are on the table, and none is turned over."""


class SyntheticTable:
    """A table with its journal open in `folder`, which is made if it is missing. `clock`: seconds of Unix
    time. `head`: the last row of the journal; `disclosed`: the last one that may leave the house. Close it
    at the end."""

    def __init__(self, folder: Path, name: str, clock: Callable[[], float] = time.time) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.name, self._clock = folder, name, clock
        self._recorded = recording()
        own = hashlib.sha256(f"drill {name}".encode()).digest()
        self.signer = Signer(own)
        self.path = folder / JOURNAL
        self._journal = Journal(self.path, signer=self.signer)
        self.rounds = sum(row.content.kind == ROUND for row in self._rows())
        self._begun: list[RowContent] = []
        if self._journal.head is None:
            offset = int.from_bytes(own[:3]) * 1e-6  # no two tables have the same row 1
            self._journal.append(self._recorded.opened(clock() + offset))
        self.disclosed = self.head
        self.epoch = epoch_of(self.history.at(1).hash)

    @property
    def head(self) -> int:
        return self._journal.head.row if self._journal.head else 0

    @property
    def journal_name(self) -> JournalName:
        return JournalName(self.name, self.epoch)

    @property
    def admission(self) -> Admission:
        """What two persons admit of this journal."""
        return Admission(1, START, self.signer.public)

    @property
    def history(self) -> History:
        return History(self.path)

    def play(self, rounds: int = 1) -> None:
        """So many rounds, each in one transaction. The first one is that which has begun, if one has."""
        for _ in range(rounds):
            rows, self._begun = self._begun or self._round(), []
            self._append(rows)
            self.rounds += 1
        self.disclosed = self.head

    def begin(self) -> None:
        """A round up to the middle: its rows may not leave the house yet."""
        rows = self._round()
        half = round(len(rows) * IN_PLAY)
        self._append(rows[:half])
        self._begun = rows[half:]

    def close_file(self) -> None:
        """Close the journal's file into its archive, and begin the next one."""
        snapshot = self._journal.latest("snapshot")[-1]
        self._journal.roll([snapshot.content])
        self.disclosed = self.head

    def close(self) -> None:
        self._journal.close()

    def _rows(self) -> Iterable[JournalRow]:
        return self.history.rows(1, self.head) if self.head else ()

    def _round(self) -> list[RowContent]:
        return self._recorded.round(self.rounds + 1, self._clock())

    def _append(self, rows: list[RowContent]) -> None:
        self._journal.append(rows)
        self._journal.tidy()
