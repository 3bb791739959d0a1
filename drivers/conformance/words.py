"""Frames and messages in words, for a report."""

from enum import IntEnum

from google.protobuf.message import Message

from drivers.link.frames import Noise, WireFrame
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
)  # fmt: skip

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
    """As `Result(key 5, status 3 UNARMED)`."""
    fields = (_field(message, field.name, value) for field, value in message.ListFields())
    return f"{message.DESCRIPTOR.name}({', '.join(fields)})"


def frame_words(frame: WireFrame) -> str:
    """The header."""
    flags = "".join(f" {flag.name}" for flag in Flag if frame.flags & flag)
    channel = Channel(frame.channel).name.lower() if frame.channel in list(Channel) else "unknown"
    return (
        f"channel {frame.channel} {channel}, sequence {frame.sequence}, ack {frame.acknowledgement},"
        f" credit {frame.credit}{flags}"
    )


def noise_words(noise: Noise) -> str:
    """Bytes that are no frame."""
    return f"no frame: {noise.reason}"


def code_word(name: str, field: str, value: object) -> str:
    """A number with its word, where it has one."""
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
