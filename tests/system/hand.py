"""One hand at one simulated device: it asks for things, and remembers what it last saw of each kind."""

import json
import socket
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.system.waiting import LIMIT, until


class Refusal(Exception):
    """The device did nothing of what it was asked for, and said why."""


class Hand:
    """A control socket, blocking. `notices`: all that was seen, in order."""

    def __init__(self, path: Path) -> None:
        self.notices: list[dict[str, Any]] = []
        self._seen: dict[str, dict[str, Any]] = {}
        self._rest = b""
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(LIMIT)
        until(lambda: self._socket.connect_ex(str(path)) == 0)
        self._await(lambda _: "session" in self._seen)

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
        self._socket.settimeout(LIMIT)
        self._socket.sendall(json.dumps({"do": do, **fields}).encode() + b"\n")
        answer = self._await(lambda record: "notice" not in record)
        if "error" in answer:
            raise Refusal(answer["error"])
        return answer

    def last(self, notice: str) -> dict[str, Any]:
        """What was last seen of a kind, now; empty if nothing was."""
        self._socket.settimeout(0)
        try:
            while data := self._socket.recv(65_536):
                self._take(data)
        except BlockingIOError:
            pass
        return self._seen.get(notice, {})

    def _await(self, wanted: Any) -> dict[str, Any]:
        while True:
            data = self._socket.recv(65_536)
            if not data:
                raise ConnectionError("the device's process ended")
            for record in self._take(data):
                if wanted(record):
                    return record

    def _take(self, data: bytes) -> list[dict[str, Any]]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        records: list[dict[str, Any]] = [json.loads(line) for line in lines]
        for record in records:
            if "notice" in record:
                self.notices.append(record)
                self._seen[record["notice"]] = record
        return records
