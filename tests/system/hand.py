"""One hand at one simulated device: it asks for things, and remembers what it last saw of each kind."""

import json
import socket
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.waiting import PATIENCE, until


class Refusal(Exception):
    """The device did nothing of what it was asked for, and said why."""


class Hand:
    """A control socket, blocking."""

    def __init__(self, path: Path) -> None:
        self._notices: list[dict[str, Any]] = []
        self._seen: dict[str, dict[str, Any]] = {}
        self._answers: deque[dict[str, Any]] = deque()
        self._rest = b""
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE)
        until(lambda: self._socket.connect_ex(str(path)) == 0)
        while not self._notices:
            self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave the device."""
        self._socket.close()

    def ask(self, do: str, **fields: object) -> dict[str, Any]:
        """Do this; the answer. Raises Refusal."""
        return self.ask_at_once({"do": do, **fields})

    def ask_at_once(self, *requests: dict[str, Any]) -> dict[str, Any]:
        """Do all of this before anything else happens; the last answer. Raises Refusal."""
        self._socket.settimeout(PATIENCE)
        self._socket.sendall(b"".join(json.dumps(request).encode() + b"\n" for request in requests))
        while len(self._answers) < len(requests):
            self._read()
        answers = list(self._answers)
        self._answers.clear()
        if errors := [answer["error"] for answer in answers if "error" in answer]:
            raise Refusal(errors[0])
        return answers[-1]

    def all_notices(self) -> list[dict[str, Any]]:
        """All that was to be seen until now, which is then forgotten."""
        self.ask("counts")  # its answer comes after every notice of what happened before
        notices, self._notices = self._notices, []
        return notices

    def last(self, notice: str) -> dict[str, Any]:
        """What was last seen of a kind, now; empty if nothing was."""
        self._socket.settimeout(0)
        try:
            while True:
                self._read()
        except BlockingIOError:
            return self._seen.get(notice, {})

    def _read(self) -> None:
        data = self._socket.recv(65_536)
        if not data:
            raise ConnectionError("the device's process ended")
        *lines, self._rest = (self._rest + data).split(b"\n")
        for record in map(json.loads, lines):
            if "notice" in record:
                self._notices.append(record)
                self._seen[record["notice"]] = record
            else:
                self._answers.append(record)
