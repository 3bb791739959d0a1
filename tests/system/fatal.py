"""`python -m tests.system.fatal CONFIG NUMBER`: the product's daemon, which dies by SIGKILL at its NUMBER-th
moment, counted from 1; 0: never. A moment is right before and after it writes a batch of rows, writes the
record of the last row, copies a full file, or begins the next one. Its files are full with MOST rows."""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from unittest.mock import patch

from controller.config import read
from controller.daemon import service
from controller.journal.archive import FileCopy
from controller.journal.chain import RowContent
from controller.journal.journal import Journal

MOST = 60
"""Rows of a file: each round fills one."""


def main(config: Path, fatal: int) -> None:
    """Until then, or until it is asked to end."""
    moments = count(1)
    commit, record_head, run, roll = Journal.commit, Journal.record_head, FileCopy.run, Journal.roll

    def come() -> None:
        if next(moments) == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    def doomed_commit(journal: Journal, contents: Sequence[RowContent]) -> None:
        come()
        commit(journal, contents)
        come()

    def doomed_record(journal: Journal) -> None:
        come()
        record_head(journal)
        come()

    def doomed_copy(copy: FileCopy, pause: Callable[[], None]) -> None:
        come()
        run(copy, pause)
        come()

    def doomed_roll(journal: Journal, rows: Sequence[RowContent]) -> None:
        come()
        roll(journal, rows)
        come()

    with (
        patch.object(Journal, "commit", doomed_commit),
        patch.object(Journal, "record_head", doomed_record),
        patch.object(FileCopy, "run", doomed_copy),
        patch.object(Journal, "roll", doomed_roll),
        patch.dict(Journal.__init__.__kwdefaults__ or {}, most=MOST),
    ):
        service.run(read(config))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
