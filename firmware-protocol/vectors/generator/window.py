"""Vectors of section 4: one end of a new session."""

from collections.abc import Iterator

from generator.framing import Vector
from generator.messages import Message, nested, payload
from generator.script import Step, script
from generator.wire import CRITICAL, OPEN, RETRANSMIT, SEALED, Frame

BEAT: Message = {"heartbeat": {"now_us": 1, "mode": 1}}


def permit(key: int) -> Message:
    """Command number `key`, a permit for twice as many cards."""
    return {"command": {"key": key, "permit": {"up_to": 2 * key}}}


def card(number: int) -> Message:
    """Event number `number`."""
    return {"event": {"number": number, "uptime_us": number, "card_unreadable": {"count": number}}}


def command(sequence: int, acknowledgement: int = 0, credit: int = OPEN, flags: int = CRITICAL) -> Frame:
    """The host's frame with that sequence: command `sequence` + 1."""
    return Frame(2, payload(permit(sequence + 1)), sequence, acknowledgement, credit, flags)


def quiet(acknowledgement: int, credit: int = OPEN, flags: int = 0) -> Frame:
    """An empty frame on channel 0."""
    return Frame(0, b"", 0, acknowledgement, credit, flags)


def beat(acknowledgement: int, credit: int = OPEN) -> Frame:
    """A heartbeat."""
    return Frame(0, payload(BEAT), 0, acknowledgement, credit)


def link(name: str, shows: str, *steps: Step, **setting: object) -> Vector:
    """A script for the device's end."""
    return script("link", name, shows, "device", steps, **setting)


def receiving() -> Iterator[Vector]:
    """What the receiver accepts, drops, acknowledges and asks for again."""
    yield from ordering()
    yield from unusable()
    yield from dropping()
    yield link(
        "sequence-wrap",
        "After sequence 65,535 comes 0. The runner makes the first 65,535 frames itself.",
        Step(0.0).with_("repeat", {"count": 65_535, "channel": 2, "payload": payload(permit(1)).hex()}),
        Step(0.1).gets(command(65_535)).delivers(permit(65_536)).answers(0).naks(),
        Step(0.2).gets(Frame(2, payload(permit(7)), 0, 0, OPEN)).delivers(permit(7)).answers(1).naks(),
        Step(0.3).gets(command(65_535)).delivers().answers(1).naks(),
        Step(0.31),
    )


def ordering() -> Iterator[Vector]:
    """Which frames are taken, and which are asked for again."""
    yield link(
        "take-in-order",
        "Expected frames are taken and acknowledged within 5 ms.",
        Step(0.0).gets(command(0)).delivers(permit(1)).answers(1).naks(),
        Step(0.01).gets(command(1), command(2)).delivers(permit(2), permit(3)).answers(3).naks(),
        Step(0.02),
    )
    yield link(
        "duplicate",
        "An older frame is dropped and acknowledged again.",
        Step(0.0).gets(command(0)).delivers(permit(1)).answers(1),
        Step(0.1).gets(command(0, flags=CRITICAL | RETRANSMIT)).delivers().answers(1).naks(),
        Step(0.11),
    )
    yield link(
        "gap",
        "A newer frame is dropped; one NAK goes out for the expected one, however many come.",
        Step(0.0).gets(command(0)).delivers(permit(1)).answers(1),
        Step(0.1).gets(command(2), command(3), command(4)).delivers().naks(1),
        Step(0.11).gets(command(5)).delivers().naks(),
        Step(0.12).gets(command(1)).delivers(permit(2)).answers(2).naks(),
        Step(0.13).gets(command(3)).delivers().naks(2),
        Step(0.14),
    )
    yield link(
        "gap-at-start",
        "The first frame of the session is missing.",
        Step(0.0).gets(command(1)).delivers().naks(0),
        Step(0.01).gets(command(0), command(1)).delivers(permit(1), permit(2)).answers(2),
        Step(0.02),
    )


def unusable() -> Iterator[Vector]:
    """Frames with a useless message are acknowledged all the same."""
    torn = Frame(2, payload(permit(1))[:-1], 0, 0, OPEN, CRITICAL)
    yield link(
        "unreadable-acknowledged",
        "A message that cannot be read is acknowledged all the same.",
        Step(0.0).gets(torn, command(1)).delivers(permit(2)).answers(2).naks(),
        Step(0.01),
    )
    yield link(
        "wrong-direction",
        "A host's frame on the channel of events uses its sequence up, no more.",
        Step(0.0)
        .gets(Frame(1, payload(card(1)), 0, 0, OPEN), command(1))
        .delivers(permit(2))
        .answers(2)
        .naks(),
        Step(0.01),
    )


def dropping() -> Iterator[Vector]:
    """Frames that fail one of the checks 5 to 10."""
    for name, shows, bad in (
        ("sealed-in-clear", "SEALED in a clear session: dropped.", command(0, flags=SEALED | CRITICAL)),
        (
            "acknowledgement-ahead",
            "An acknowledgement of what was never sent: the frame is dropped.",
            command(0, 5),
        ),
        ("acknowledgement-behind", "One from before the window is as bad.", command(0, 65_535)),
    ):
        steps = (
            Step(0.0).gets(bad).delivers().naks(),
            Step(0.1).gets(command(0)).delivers(permit(1)).answers(1),
            Step(0.11),
        )
        yield link(name, shows, *steps)
    numbered = Frame(0, payload({"event_commit": {"number": 1}}), 4, 0, OPEN)
    plain = Frame(0, payload({"event_commit": {"number": 2}}), 0, 0, OPEN)
    yield link(
        "control-with-sequence",
        "Channel 0 has no sequences: a frame with one is dropped.",
        Step(0.0).gets(numbered, plain).delivers({"event_commit": {"number": 2}}),
        Step(0.01),
    )
    yield link(
        "channel-ignored",
        "A frame on channel 9 is ignored and uses no sequence.",
        Step(0.0).gets(Frame(9, b"\x01", 77, 0, OPEN)).delivers().naks(),
        Step(0.1).gets(command(0)).delivers(permit(1)).answers(1),
        Step(0.11),
    )
    yield link(
        "unknown-message",
        "An unknown message without CRITICAL is ignored and acknowledged.",
        Step(0.0).gets(Frame(2, nested(50, b""), 0, 0, OPEN), command(1)).delivers(permit(2)).answers(2),
        Step(0.01),
    )
