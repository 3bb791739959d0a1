"""`python -m benchmarks.timed_daemon WORDS`: `python -m controller WORDS`, with each turn of its loop timed.

When it ends, it writes the longest turns as JSON to the file that the variable TURNS names. Its journal
closes a file after as many rows as the variable ROLL_ROWS says.
"""

import asyncio
import heapq
import json
import os
import runpy
import sys
import threading
import time
import traceback
from dataclasses import astuple, dataclass
from functools import partialmethod
from pathlib import Path

from controller.journal.journal import Journal

MOST = 20
"""Turns that are kept, by time and by processor time."""
LONG = 0.02
"""Seconds after which a thread notes where a turn is."""
TURNS = "TURNS"
ROWS = "ROLL_ROWS"
RUN = "_run"
"""The method with which a loop calls back."""


@dataclass(frozen=True, slots=True, order=True)
class Turn:
    """`by`: the figure by which it was kept; `took` and `worked`: seconds, and seconds of the processor;
    `where`: the innermost functions after LONG seconds, empty for a shorter turn."""

    by: float
    took: float
    worked: float
    where: str


class TurnTimer:
    """Times the callbacks of all loops of this process."""

    def __init__(self) -> None:
        self.longest: list[Turn] = []
        self.busiest: list[Turn] = []
        self._since: float | None = None
        self._where = ""
        self._thread = threading.get_ident()

    def install(self) -> None:
        run = getattr(asyncio.events.Handle, RUN)
        threading.Thread(target=self._watch, name="turns", daemon=True).start()

        def timed(handle: asyncio.events.Handle) -> None:
            self._where, worked, begun = "", time.thread_time(), time.monotonic()
            self._since = begun
            run(handle)
            self._since = None
            took, worked = time.monotonic() - begun, time.thread_time() - worked
            _keep(self.longest, Turn(took, took, worked, self._where))
            _keep(self.busiest, Turn(worked, took, worked, self._where))

        setattr(asyncio.events.Handle, RUN, timed)

    def _watch(self) -> None:
        while True:
            time.sleep(LONG / 4)
            since = self._since
            if since is not None and not self._where and time.monotonic() - since > LONG:
                frames = traceback.extract_stack(sys._current_frames()[self._thread])
                self._where = ", ".join(f"{Path(each.filename).stem}.{each.name}" for each in frames[:-4:-1])


def _keep(kept: list[Turn], turn: Turn) -> None:
    if len(kept) < MOST:
        heapq.heappush(kept, turn)
    elif turn.by > kept[0].by:
        heapq.heapreplace(kept, turn)


def main() -> None:
    short = partialmethod(Journal.__init__, most=int(os.environ[ROWS]))
    setattr(Journal, "__init__", short)  # noqa: B010 - mypy allows no assignment to a method
    timer = TurnTimer()
    timer.install()
    try:
        runpy.run_module("controller", run_name="__main__", alter_sys=True)
    finally:
        kept = {"longest": timer.longest, "busiest": timer.busiest}
        found = {name: sorted(map(astuple, turns), reverse=True) for name, turns in kept.items()}
        Path(os.environ[TURNS]).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
