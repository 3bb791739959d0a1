"""Vectors of sections 4 and 7: one end of a new sealed session."""

from collections.abc import Iterator

from generator.framing import Vector
from generator.messages import Message, payload
from generator.script import Step
from generator.sealed_frames import longest
from generator.sealing import Voice, first_session
from generator.window import beat, card, command, link, permit
from generator.wire import CRITICAL, OPEN, RETRANSMIT, Frame

KEYS = first_session().keys()


def host() -> Voice:
    """The peer of the device's end, at its first frame."""
    return first_session().host


def sealed(name: str, shows: str, *steps: Step) -> Vector:
    """A script for the device's end of a sealed session."""
    return link(f"link-sealed-{name}", shows, *steps, keys=KEYS)


def links() -> Iterator[Vector]:
    """Sequences, counters and messages of a sealed link."""
    yield from receiving()
    yield from replays()
    yield from idle_replays()
    yield from wrap()
    yield from contents()


def receiving() -> Iterator[Vector]:
    """Sequences count messages; counters count transmissions."""
    says = host()
    yield sealed(
        "take-in-order",
        "Expected frames are opened, taken and acknowledged, sealed.",
        Step(0.0).gets(says.say(command(0))).delivers(permit(1)).answers(1).naks(),
        Step(0.01).gets(*says.all(command(1), command(2))).delivers(permit(2), permit(3)).answers(3).naks(),
        Step(0.02),
    )
    says = host()
    yield sealed(
        "duplicate",
        "A frame sent again under a fresh counter is good, its sequence is old: dropped, acknowledged again.",
        Step(0.0).gets(says.say(command(0))).delivers(permit(1)).answers(1),
        Step(0.1).gets(says.say(command(0, flags=CRITICAL | RETRANSMIT))).delivers().answers(1).naks(),
        Step(0.11),
    )
    says = host()
    yield sealed(
        "gap",
        "A newer sequence: one NAK, sealed. What follows under later counters is taken.",
        Step(0.0).gets(says.say(command(0))).delivers(permit(1)).answers(1),
        Step(0.1).gets(*says.all(command(2), command(3))).delivers().naks(1),
        Step(0.12).gets(*says.all(command(1), command(2))).delivers(permit(2), permit(3)).answers(3).naks(),
        Step(0.13),
    )
    says = host()
    says.counter = 2
    yield sealed(
        "counters-missing",
        "Counters 0 and 1 are lost on the line: counter 2 is good, and its sequence is the expected one.",
        Step(0.0).gets(says.say(command(0))).delivers(permit(1)).answers(1).naks(),
        Step(0.01),
    )


def replays() -> Iterator[Vector]:
    """The same bytes again."""
    says = host()
    first = says.say(command(0))
    yield sealed(
        "replay",
        "The same bytes again are a replay: dropped before their sequence is looked at.",
        Step(0.0).gets(first).delivers(permit(1)).answers(1),
        Step(0.1).gets(first).delivers().naks(),
        Step(0.2).gets(says.say(command(1))).delivers(permit(2)).answers(2),
        Step(0.21),
    )
    says = host()
    first = says.say(command(0))
    yield sealed(
        "replays-many",
        "Replays are only counted: 50 of them in a second end nothing.",
        Step(0.0).gets(first).delivers(permit(1)).answers(1),
        *(Step(0.1 + n / 50).gets(first).delivers().naks() for n in range(50)),
        Step(1.2).gets(says.say(command(1))).delivers(permit(2)).answers(2),
        Step(1.3),
    )


def idle_replays() -> Iterator[Vector]:
    """What a replay cannot do."""
    says = host()
    ahead = says.say(command(0, 5))
    yield sealed(
        "replay-of-dropped",
        "A good tag keeps its counter even if a later check drops the frame: again it is a replay.",
        Step(0.0).gets(ahead, ahead).delivers().naks(),
        Step(0.1).gets(says.say(command(0))).delivers(permit(1)).answers(1),
        Step(0.11),
    )
    says = host()
    pulse = says.say(beat(0))
    yield sealed(
        "replayed-heartbeats",
        "Replayed heartbeats keep no session alive.",
        *(Step(n / 2).gets(pulse) for n in range(6)),
        Step(2.9).ends("heartbeat"),
        Step(3.1),
    )


def wrap() -> Iterator[Vector]:
    """The sequence wraps, the counter goes on."""
    says = host()
    says.counter = 65_535
    yield sealed(
        "sequence-wrap",
        "Sequence 65,535 has counter 65,535, 0 after it 65,536. The runner seals those before.",
        Step(0.0).with_("repeat", {"count": 65_535, "channel": 2, "payload": payload(permit(1)).hex()}),
        Step(0.1).gets(says.say(command(65_535))).delivers(permit(65_536)).answers(0).naks(),
        Step(0.2)
        .gets(says.say(Frame(2, payload(permit(7)), 0, 0, OPEN)))
        .delivers(permit(7))
        .answers(1)
        .naks(),
        Step(0.3).gets(says.say(command(65_535))).delivers().answers(1).naks(),
        Step(0.31),
    )


def contents() -> Iterator[Vector]:
    """Good tags over any message."""
    says = host()
    torn = Frame(2, payload(permit(1))[:-1], 0, 0, OPEN, CRITICAL)
    yield sealed(
        "unreadable",
        "A good tag over a message that cannot be read: acknowledged all the same.",
        Step(0.0).gets(*says.all(torn, command(1))).delivers(permit(2)).answers(2).naks(),
        Step(0.01),
    )
    says = host()
    block: Message = {"block": {"offset": 192, "data": bytes(range(192))}}
    yield sealed(
        "longest",
        "A message of 209 bytes, the greatest, is taken.",
        Step(0.0).gets(says.say(Frame(3, longest(), 0, 0, OPEN))).delivers(block).answers(1),
        Step(0.01),
    )
    says = host()
    stray = Frame(9, b"\x01", 77, 0, OPEN)
    yield sealed(
        "channel-ignored",
        "An unknown channel uses no sequence, but its counter is used.",
        Step(0.0).gets(*says.all(stray, command(0))).delivers(permit(1)).answers(1).naks(),
        Step(0.01),
    )
    says = host()
    yield sealed(
        "wrong-direction",
        "A host's frame on the channel of events uses its sequence up, no more.",
        Step(0.0)
        .gets(*says.all(Frame(1, payload(card(1)), 0, 0, OPEN), command(1)))
        .delivers(permit(2))
        .answers(2)
        .naks(),
        Step(0.01),
    )
