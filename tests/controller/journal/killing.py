"""Processes that are killed before each of their steps on the disk, one step after the other.

They are forked from a process that has loaded the journal alone: to fork the process of all tests takes
several times as long, and tests kill a thousand.
"""

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from tests.controller.journal.disks import Disks

STEPS: Final = {"open", "os.rename", "os.remove", "os.mkdir", "os.chmod", "sqlite3.connect"}
"""Audit events before each step; fsync and commits lie between them."""
KILLED: Final = 9
Work = Literal["add", "append", "open_and_close", "roll"]
"""A method of Disks."""


class Killer:
    """A context, inside which processes can be killed."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def killed_before(self, step: int, disks: Disks, work: Work) -> bool:
        """Does the work in a process that is killed before its step with this number,
        counted from 0. Returns whether it got that far."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(step, work, disks.folder, file=self._process.stdin, flush=True)
        code = int(self._process.stdout.readline())
        assert code in {0, KILLED}, code
        return code == KILLED


def _serve() -> None:
    """Forks a process for each line of standard input, and prints its exit status."""
    for line in sys.stdin:
        step, work, folder = line.rstrip("\n").split(" ", 2)
        child = os.fork()
        if child == 0:
            _die(int(step), Disks(Path(folder)), work)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _die(step: int, disks: Disks, work: str) -> None:
    left = step

    def count_step(event: str, _arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in STEPS:
            if left == 0:
                os._exit(KILLED)
            left -= 1

    sys.addaudithook(count_step)
    try:
        getattr(disks, work)()
    except Exception:
        left = -1  # the traceback is printed to its end
        raise
    os._exit(0)


if __name__ == "__main__":
    _serve()
