"""Daemons as processes, each forked from one that has all loaded; their tests use the fixture `nursery`."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO, ClassVar, cast

from tests.system.nursery import Forked, Nursery
from tests.waiting import PATIENCE, until


class Born:
    """As much of a Popen as tests of the daemon use."""

    nursery: ClassVar[Nursery | None] = None

    def __init__(self, forked: Forked, said: IO[str]) -> None:
        self.pid = forked.pid
        self._forked, self._said = forked, said

    @property
    def returncode(self) -> int | None:
        """None while it runs."""
        return self._forked.returncode

    def send_signal(self, number: int) -> None:
        """Nothing happens when it has ended."""
        with suppress(ProcessLookupError):
            self._forked.send_signal(number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float) -> int | None:
        """Its status."""
        until(lambda: self.returncode is not None, timeout)
        return self.returncode

    def communicate(self, timeout: float) -> tuple[None, str]:
        """Waits for its end; what it said is short enough for a pipe."""
        self.wait(timeout)
        return None, self._said.read()


@contextmanager
def running(words: list[str], environment: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """`python -m` these words with an environment that has these, too; what still runs then is killed."""
    assert Born.nursery, "the fixture nursery is not used"
    ours, theirs = os.pipe()
    with os.fdopen(ours, encoding="utf-8") as said:
        with os.fdopen(theirs, "wb") as log:
            born = Born(Born.nursery.bear(words, log, {**os.environ, **environment}), said)
        try:
            yield cast("subprocess.Popen[str]", born)
        finally:
            born.kill()
            born.wait(PATIENCE)
