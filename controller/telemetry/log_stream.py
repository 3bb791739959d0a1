"""Standard error that never blocks: a queue of lines, and a thread that writes them.

If the reader of the log is slow or stops, lines are lost and counted, and the table continues to play.
"""

import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import redirect_stderr
from io import TextIOBase
from types import TracebackType
from typing import Self

MOST_LINES = 1000
"""The most lines that wait for the reader. Further lines are lost until the queue has space."""
FINAL_WAIT = 2.0
"""Seconds allowed at exit for writing the lines in the queue."""


class LogStream(TextIOBase):
    """Replaces standard error between enter and exit. `descriptor`: where lines are written. `gap`: returns
    the line that reports a number of lost lines, without its line end."""

    def __init__(self, descriptor: int, gap: Callable[[int], str]) -> None:
        self.lost = 0
        """Lines lost since the stream was created."""
        self._descriptor, self._gap = descriptor, gap
        self._queue: deque[str | int] = deque()
        """Lines, and for each gap the number of lines lost there."""
        self._partial = ""
        self._ended = False
        self._change = threading.Condition()
        self._writer = threading.Thread(target=self._write_all, name="log", daemon=True)
        self._redirection = redirect_stderr(self)

    def __enter__(self) -> Self:
        self._writer.start()
        self._redirection.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait until all lines are written, for FINAL_WAIT seconds at most."""
        self._redirection.__exit__(kind, error, trace)
        with self._change:
            if self._partial:
                self._append(f"{self._partial}\n")
            self._ended = True
            self._change.notify()
        self._writer.join(FINAL_WAIT)

    def fileno(self) -> int:
        """The descriptor to which lines are written."""
        return self._descriptor

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        """Queue the text; never waits for the reader."""
        with self._change:
            *lines, self._partial = (self._partial + text).split("\n")
            for line in lines:
                self._append(f"{line}\n")
            self._change.notify()
        return len(text)

    def _append(self, line: str) -> None:
        if len(self._queue) < MOST_LINES:
            self._queue.append(line)
            return
        self.lost += 1
        last = self._queue[-1]
        if isinstance(last, int):
            self._queue[-1] = last + 1
        else:
            self._queue.append(1)

    def _write_all(self) -> None:
        while (line := self._next()) is not None:
            data = line.encode(errors="backslashreplace")
            while data:
                try:
                    data = data[os.write(self._descriptor, data) :]
                except OSError:  # the reader is gone, so the line is dropped
                    break

    def _next(self) -> str | None:
        """Wait for a line and return the oldest one; None after the end."""
        with self._change:
            self._change.wait_for(lambda: self._queue or self._ended)
            if not self._queue:
                return None
            line = self._queue.popleft()
        return f"{self._gap(line)}\n" if isinstance(line, int) else line


def lost_lines() -> int:
    """The number of lost lines in this process's log."""
    return sys.stderr.lost if isinstance(sys.stderr, LogStream) else 0
