"""Messages of a later version, or with errors. Section 5."""

from drivers import messages as m
from drivers.conformance.check import TRIES, Check
from drivers.conformance.matchers import acknowledges, in_session, says
from drivers.conformance.outcome import CheckFailed
from drivers.conformance.probe import Probe
from drivers.conformance.trace import TraceEntry
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import ByeReason, Channel, DeviceClass, Status

UNKNOWN_FIELD = b"\xa2\x3f\x03abc"
"""Field 1012, bytes."""
UNKNOWN_BODY = b"\xa2\x3f\x00"
"""Field 1012, empty: a command of a later version."""
UNKNOWN_MESSAGE = b"\xfa\x01\x00"
"""Field 31 of `Frame`, empty."""
UNREADABLE = (b"\xc2\x01\x7f\x08", b"\xff\xff\xff\xff", b"\x00\x01\x02", b"\xc2\x01\x02\x08\xff")
"""Payloads that are not protobuf: a length past the end, an endless tag, field 0, an endless number."""
FOREIGN: dict[DeviceClass, m.CommandBody] = {
    DeviceClass.SHOE: m.Buzz(1),
    DeviceClass.SHUFFLER: m.Lock(),
    DeviceClass.SENSORS: m.Lock(),
    DeviceClass.DISPLAY: m.Lock(),
    DeviceClass.CONSOLE: m.Lock(),
}
"""A command of another class."""


def _command(key: int, tail: bytes) -> bytes:
    """A command with this key and no body, followed by these bytes."""
    inner = tsl.Command(key=key).SerializeToString() + tail
    return b"\xc2\x01" + bytes([len(inner)]) + inner


async def ignored(
    p: Probe, payload: bytes, note: str, *, channel: Channel = Channel.COMMANDS, flags: int = 0
) -> None:
    """It is acknowledged, its sequence is used up, and nothing else follows."""
    sequence = p.session.sequence + 1
    p.launch(payload, channel, flags, note)
    acknowledged = await p.expect_frame(
        f"an acknowledgement of {sequence}, after {note}",
        acknowledges(sequence),
        0.1,
    )
    if _answer(acknowledged):
        raise CheckFailed(f"no answer to {note}")
    await p.never(f"answer to {note}", _answer, fresh=False)


def _answer(entry: TraceEntry) -> bool:
    return in_session(entry) and entry.name in ("result", "bye", "event", "events_lost") and not entry.repeat


async def _unknown_field(p: Probe) -> None:
    await p.open()
    key = p.key()
    inner = p.payload(m.Disarm(), key)[3:] + UNKNOWN_FIELD
    p.launch(b"\xc2\x01" + bytes([len(inner)]) + inner, note="a command with an unknown field")
    await p.result(key)


async def _unknown(p: Probe) -> None:
    await p.open()
    await ignored(p, _command(p.key(), UNKNOWN_BODY), "an unknown command without CRITICAL")
    await ignored(p, UNKNOWN_MESSAGE, "an unknown message without CRITICAL")
    await p.alive()


async def _unknown_critical(p: Probe) -> None:
    await p.open()
    key = p.key()
    p.launch(_command(key, UNKNOWN_BODY), note="an unknown command with CRITICAL")
    await p.result(key, Status.UNSUPPORTED)
    await p.alive()


async def _foreign(p: Probe) -> None:
    await p.open()
    await p.order(FOREIGN[p.subject.device_class], Status.UNSUPPORTED)


async def _unreadable(p: Probe) -> None:
    await p.open()
    for payload in UNREADABLE:
        await ignored(p, payload, f"an unreadable message, {payload.hex()}", flags=4)
    await p.alive()


async def _control(p: Probe) -> None:
    await p.open()
    p.link.send(p.link.frame(UNKNOWN_MESSAGE), "an unknown control message without CRITICAL")
    await p.never("end of the session for an unknown control message without CRITICAL", says("bye"))
    await p.alive()


async def _control_critical(p: Probe) -> None:
    await p.open()
    p.link.send(p.link.frame(UNKNOWN_MESSAGE, flags=4), "an unknown control message with CRITICAL")
    bye = await p.expect("Bye(4 UNSUPPORTED)", says("bye"), 0.3)
    if bye.reason != ByeReason.UNSUPPORTED:
        raise CheckFailed("Bye(4 UNSUPPORTED)")
    await p.over("an unknown critical control message")


async def _direction(p: Probe) -> None:
    await p.open()
    result = tsl.Frame(result=common.Result(key=1, status=Status.DONE)).SerializeToString()
    lost = tsl.Frame(events_lost=common.EventsLost(first=1, last=1)).SerializeToString()
    await ignored(p, result, "a Result, which only a device says")
    await ignored(p, lost, "EventsLost, which only a device says", channel=Channel.EVENTS)
    await p.alive()


async def _channel(p: Probe) -> None:
    await p.open()
    key = p.key()
    await ignored(p, p.payload(m.Disarm(), key), "a Command on channel 3", channel=Channel.BULK, flags=4)
    await p.alive()


_LOOK = "the table of section 5: what is acknowledged, what is answered, and what neither"
CHECKS = (
    Check("messages.unknown-field", "5", "Unknown fields are ignored.", _LOOK, _unknown_field),
    Check(
        "messages.unknown",
        "5",
        "Unknown messages without CRITICAL are acknowledged and ignored.",
        _LOOK,
        _unknown,
        tries=TRIES,
    ),
    Check(
        "messages.unknown-critical",
        "5",
        "An unknown command with CRITICAL is answered with UNSUPPORTED.",
        "whether the key of a command is read even where its body is not known",
        _unknown_critical,
    ),
    Check(
        "messages.foreign",
        "9.5",
        "A command of another class is answered with UNSUPPORTED.",
        "the list of commands that this class has",
        _foreign,
    ),
    Check(
        "messages.unreadable",
        "5",
        "An unreadable message is acknowledged and dropped.",
        "when the sequence is used up: before the message is decoded",
        _unreadable,
        tries=TRIES,
    ),
    Check(
        "messages.control", "5", "An unknown control message without CRITICAL is ignored.", _LOOK, _control
    ),
    Check(
        "messages.control-critical",
        "5",
        "An unknown control message with CRITICAL ends the session.",
        _LOOK,
        _control_critical,
    ),
    Check(
        "messages.direction",
        "5",
        "What only a device says is acknowledged and dropped.",
        _LOOK,
        _direction,
        tries=TRIES,
    ),
    Check(
        "messages.channel",
        "5",
        "A message on another channel is acknowledged and dropped.",
        _LOOK,
        _channel,
        tries=TRIES,
    ),
)
"""In the order in which they run."""
