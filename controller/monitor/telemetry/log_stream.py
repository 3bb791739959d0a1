"""Standard error without waiting: a queue of lines and a thread that writes them.

The reader of the log may be slow or stop. Then lines are lost and counted, and the table plays on.
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
"""The most lines that wait for the reader; later lines are lost until there is room."""
FINAL_WAIT = 2.0
"""Seconds allowed at the end for writing the lines that still wait."""


class LogStream(TextIOBase):
    """Replaces standard error between enter and exit. `descriptor`: where lines are written; `gap`: the line,
    without its end, that stands for a number of lost lines."""

    def __init__(self, descriptor: int, gap: Callable[[int], str]) -> None:
        self.lost = 0
        """Lines lost since the stream began."""
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
        """Wait until all lines are written, at most PATIENCE."""
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
        """Always true."""
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
                except OSError:  # nobody will ever read it
                    break

    def _next(self) -> str | None:
        """The oldest line, once there is one; None at the end."""
        with self._change:
            self._change.wait_for(lambda: self._queue or self._ended)
            if not self._queue:
                return None
            line = self._queue.popleft()
        return f"{self._gap(line)}\n" if isinstance(line, int) else line


def lost_lines() -> int:
    """How many lines of this process's log were lost."""
    return sys.stderr.lost if isinstance(sys.stderr, LogStream) else 0
