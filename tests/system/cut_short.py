"""`python -m tests.system.cut_short TEXT SIGNAL WORDS...`: `tableside WORDS...`, an update that gets a signal
right after it has printed this text."""

import os
import sys
from unittest.mock import patch

from controller.commands.app import app
from controller.commands.update_job import ProgressPrinter


def main(text: str, number: int, *words: str) -> None:
    """Runs the command to its end."""
    line = ProgressPrinter._print

    def cut(progress: ProgressPrinter, said: str) -> None:
        line(progress, said)
        if text in said:
            os.kill(os.getpid(), number)

    with patch.object(ProgressPrinter, "_print", cut):
        app(words, prog_name="tableside")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
