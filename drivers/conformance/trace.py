"""Everything that went over the line, in order and in words."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from google.protobuf.message import Message

from drivers.conformance.outcome import TraceLine
from drivers.link.frames import Noise, WireFrame, encode
from drivers.protocol.codes import (
    ByeReason,
    Channel,
    DeviceClass,
    Flag,
    Mode,
    RefuseReason,
    Reset,
    Seal,
    Side,
    Status,
)

CODES: dict[tuple[str, str], type[IntEnum]] = {
    ("Result", "status"): Status,
    ("Refuse", "reason"): RefuseReason,
    ("Bye", "reason"): ByeReason,
    ("Hello", "side"): Side,
    ("Hello", "seal"): Seal,
    ("Hello", "reset"): Reset,
    ("Hello", "device_class"): DeviceClass,
    ("Proof", "side"): Side,
    ("Heartbeat", "mode"): Mode,
    ("Booted", "reset"): Reset,
}


def message_words(message: Message) -> str:
    """`Result(key 5, status 3 UNARMED)`."""
    fields = (_field(message, field.name, value) for field, value in message.ListFields())
    return f"{message.DESCRIPTOR.name}({', '.join(fields)})"


def frame_words(frame: WireFrame) -> str:
    flags = "".join(f" {flag.name}" for flag in Flag if frame.flags & flag)
    channel = Channel(frame.channel).name.lower() if frame.channel in list(Channel) else "unknown"
    return (
        f"channel {frame.channel} {channel}, sequence {frame.sequence}, ack {frame.acknowledgement},"
        f" credit {frame.credit}{flags}"
    )


def noise_words(noise: Noise) -> str:
    return f"no frame: {noise.reason}"


def code_word(name: str, field: str, value: object) -> str:
    """A number, with its name if it has one."""
    codes = CODES.get((name, field))
    words = {member.value: member.name for member in codes} if codes else {}
    return f"{value} {words[value]}" if value in words else str(value)


def _field(message: Message, name: str, value: object) -> str:
    if isinstance(value, Message):
        return message_words(value)
    if isinstance(value, bytes):
        return f"{name} {value.hex()}"
    if isinstance(value, str):
        return f'{name} "{value}"'
    return f"{name} {code_word(message.DESCRIPTOR.name, name, value)}"


@dataclass(slots=True)
class TraceEntry:
    """One frame, or bytes that are not one.

    `item`: as on the line; `clear`: with its message in clear, None if it could not be opened. `name`: the
    field of `Frame` that its `message` is; "" and None if there is none. `note`: what is wrong with it, in
    words. `session`: the one that it belongs to, 0 for none; `nth`: its place among the device's frames of
    that session; `repeat`: its sequence came before. `duty`: a heartbeat or acknowledgement that the probe
    sent by itself. `consumed`: a check has used it.
    """

    at: float
    ours: bool
    item: WireFrame | Noise | bytes
    clear: WireFrame | None = None
    name: str = ""
    message: Any = None
    note: str = ""
    session: int = 0
    nth: int = 0
    repeat: bool = False
    duty: bool = False
    consumed: bool = False

    @property
    def frame(self) -> WireFrame:
        """The frame on the line; raises TypeError for other bytes."""
        if not isinstance(self.item, WireFrame):
            raise TypeError(f"{self.words()} is not a frame")
        return self.item

    @property
    def data(self) -> bytes:
        """The bytes on the line."""
        if isinstance(self.item, WireFrame):
            return encode(self.item)
        return self.item.data if isinstance(self.item, Noise) else self.item

    @property
    def payload(self) -> bytes:
        """The serialized message in clear; empty if there is none."""
        return self.clear.payload if self.clear else b""

    def words(self) -> str:
        note = f" [{self.note}]" if self.note else ""
        if isinstance(self.item, Noise):
            return noise_words(self.item) + note
        if isinstance(self.item, bytes):
            return f"{len(self.item)} bytes{note}"
        message = f": {message_words(self.message)}" if self.message else ""
        return frame_words(self.item) + message + note

    def trace_line(self, since: float) -> TraceLine:
        """The line of the report."""
        return TraceLine(
            round(self.at - since, 4), "sent" if self.ours else "came", self.words(), self.data.hex(" ")
        )


class Trace:
    """The entries of one check. The current step began with entry `step`."""

    def __init__(self) -> None:
        self.entries: list[TraceEntry] = []
        self.step = 0
        self._met = False

    def add(self, entry: TraceEntry) -> TraceEntry:
        if self._met and entry.ours and not entry.duty:
            self.step, self._met = len(self.entries), False
        self.entries.append(entry)
        return entry

    def step_done(self) -> None:
        """The expected frame came: the next step begins with what is sent next."""
        self._met = True

    def clear(self) -> None:
        self.entries.clear()
        self.step, self._met = 0, False
