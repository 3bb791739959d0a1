"""QEMU's own control: one command at a time, in JSON (docs/interop/qmp-spec of QEMU)."""

import json
import socket
from pathlib import Path
from typing import Any

from tests.fixtures.waiting import until


class MonitorError(Exception):
    """QEMU refused a command; the text is its own."""


class Monitor:
    """A connection to QEMU's monitor, which must be listening or about to."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        until(lambda: self._socket.connect_ex(str(path)) == 0)
        self._lines = self._socket.makefile("rb")
        self._lines.readline()  # its greeting
        self.events: list[str] = []
        """The names of what happened by itself, such as WATCHDOG, as far as answers were read."""
        self.run("qmp_capabilities")

    def run(self, command: str, **arguments: object) -> Any:
        """What QEMU answers. Raises MonitorError."""
        self._socket.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        while line := self._lines.readline():
            answer = json.loads(line)
            if "event" in answer:
                self.events.append(answer["event"])
            elif "error" in answer:
                raise MonitorError(f"{command}: {answer['error']['desc']}")
            else:
                return answer["return"]
        raise MonitorError(f"{command}: QEMU ended")

    def close(self) -> None:
        self._lines.close()
        self._socket.close()
