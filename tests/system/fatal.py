"""`python -m tests.system.fatal CONFIG NUMBER`: the product's daemon, which dies by SIGKILL at its NUMBER-th
moment, counted from 1: right before a batch of rows is written, and right after it.
"""

import os
import signal
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from unittest.mock import patch

from controller import service
from controller.config import read
from controller.journal.chain import Row
from controller.journal.journal import Journal


def main(config: Path, fatal: int) -> None:
    """Until then, or until it is asked to end."""
    moments, append = count(1), Journal.append

    def come() -> None:
        if next(moments) == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    def doomed(journal: Journal, contents: Sequence[Row]) -> None:
        come()
        append(journal, contents)
        come()

    with patch.object(Journal, "append", doomed):
        service.run(read(config))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
