"""`python -m tests.system.fatal CONFIG NUMBER`: the product's daemon, which dies by SIGKILL at its NUMBER-th
moment, counted from 1; 0: never. A moment is right before and after it writes a batch of rows, writes the
record of the last row, copies a full file, or begins the next one. Its files are full with MOST rows."""

import os
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from unittest.mock import patch

from controller.config import read
from controller.daemon import service
from controller.journal.archive import FileCopy
from controller.journal.journal import Journal

MOST = 60
"""Rows of a file: each round fills one."""


def main(config: Path, fatal: int) -> None:
    """Run the daemon until that moment, or until it is asked to end."""
    moments = count(1)

    def die_if_due() -> None:
        if next(moments) == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    def dying_around(method: Callable[..., None]) -> Callable[..., None]:
        def wrapped(*arguments: object) -> None:
            die_if_due()
            method(*arguments)
            die_if_due()

        return wrapped

    with (
        patch.object(Journal, "commit", dying_around(Journal.commit)),
        patch.object(Journal, "record_head", dying_around(Journal.record_head)),
        patch.object(FileCopy, "run", dying_around(FileCopy.run)),
        patch.object(Journal, "roll", dying_around(Journal.roll)),
        patch.dict(Journal.__init__.__kwdefaults__ or {}, most=MOST),
    ):
        service.run(read(config))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
