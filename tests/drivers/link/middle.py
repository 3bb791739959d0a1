"""An attacker inside a sealed handshake, who reads and changes what passes and does not know the key."""

from collections.abc import Callable
from itertools import repeat
from typing import Any

from drivers.link.frames import WireFrame, decode, encode
from drivers.link.routes import is_handshake
from drivers.protocol import tsl_pb2 as tsl
from tests.drivers.link.fated import FatedLine

Change = Callable[[tsl.Frame], tsl.Frame | None]
"""What happens to a handshake message; None: it is withheld."""


class Middle(FatedLine):
    """One direction. `seen`: all original handshake messages; `change`: what the attacker does."""

    def __init__(self, change: Change) -> None:
        super().__init__(repeat("passes"))
        self.change = change
        self.seen: list[bytes] = []

    def put(self, line: bytes, now: float) -> None:
        """Bytes that a side wrote."""
        for run in filter(None, line.split(b"\0")):
            super().put(self._passed(run), now)

    def _passed(self, run: bytes) -> bytes:
        frame = decode(run)
        if not isinstance(frame, WireFrame) or not is_handshake(frame):
            return run
        self.seen.append(run)
        changed = self.change(tsl.Frame.FromString(frame.payload))
        return clear(changed)[1:-1] if changed else b""


def clear(message: tsl.Frame) -> bytes:
    """A handshake message as it is on the line."""
    return encode(WireFrame(0, 0, 0, 0, 0, message.SerializeToString()))


def untouched(message: tsl.Frame) -> tsl.Frame:
    """Only listens."""
    return message


def rewriting(name: str, field: str, value: Any) -> Change:
    """Sets one field of one message, wherever it passes."""

    def change(message: tsl.Frame) -> tsl.Frame:
        if message.WhichOneof("message") == name:
            setattr(getattr(message, name), field, value)
        return message

    return change
