"""Vectors of sections 4 and 7: one end of a sealed session, nothing sent or heard in it yet."""

from collections.abc import Iterator

from generator.framing import Vector
from generator.messages import Message, nested, payload, varint
from generator.proving import clear
from generator.script import Step, bye
from generator.sealed_frames import longest
from generator.sealing import Voice, first_session, sealed_host_hello
from generator.sending import again, out, wish
from generator.window import beat, card, link, permit, quiet, told
from generator.wire import CRITICAL, NAK, OPEN, RETRANSMIT, Frame

KEYS = first_session().keys()


def host() -> Voice:
    """The peer of the device's end, at its first frame."""
    return first_session().host


def sealed(name: str, shows: str, *steps: Step) -> Vector:
    """A script for the device's end of a sealed session."""
    return link(f"link-sealed-{name}", shows, *steps, keys=KEYS)


def links() -> Iterator[Vector]:
    """All scripts of a sealed link, bad tags apart."""
    yield from receiving()
    yield from replays()
    yield from wrap()
    yield from clear_frames()
    yield from controls()
    yield from contents()
    yield from sending()


def receiving() -> Iterator[Vector]:
    """Sequences count as ever; counters count transmissions."""
    says = host()
    yield sealed(
        "take-in-order",
        "Expected frames are opened, taken and acknowledged, sealed.",
        Step(0.0).hears(says.say(told(0))).takes(permit(1)).answers(1).naks(),
        Step(0.01).hears(*says.all(told(1), told(2))).takes(permit(2), permit(3)).answers(3).naks(),
        Step(0.02),
    )
    says = host()
    yield sealed(
        "duplicate",
        "A frame sent again under a fresh counter is good, its sequence is old: dropped, acknowledged again.",
        Step(0.0).hears(says.say(told(0))).takes(permit(1)).answers(1),
        Step(0.1).hears(says.say(told(0, flags=CRITICAL | RETRANSMIT))).takes().answers(1).naks(),
        Step(0.11),
    )
    says = host()
    yield sealed(
        "gap",
        "A newer sequence: one NAK, sealed. What follows under later counters is taken.",
        Step(0.0).hears(says.say(told(0))).takes(permit(1)).answers(1),
        Step(0.1).hears(*says.all(told(2), told(3))).takes().naks(1),
        Step(0.12).hears(*says.all(told(1), told(2))).takes(permit(2), permit(3)).answers(3).naks(),
        Step(0.13),
    )
    says = host()
    says.counter = 2
    yield sealed(
        "counters-missing",
        "Counters 0 and 1 are lost on the line: counter 2 is good, and its sequence is the expected one.",
        Step(0.0).hears(says.say(told(0))).takes(permit(1)).answers(1).naks(),
        Step(0.01),
    )


def replays() -> Iterator[Vector]:
    """The same bytes again."""
    says = host()
    first = says.say(told(0))
    yield sealed(
        "replay",
        "The same bytes again are a replay: dropped before their sequence is looked at.",
        Step(0.0).hears(first).takes(permit(1)).answers(1),
        Step(0.1).hears(first).takes().naks(),
        Step(0.2).hears(says.say(told(1))).takes(permit(2)).answers(2),
        Step(0.21),
    )
    says = host()
    first = says.say(told(0))
    yield sealed(
        "replays-many",
        "Replays are only counted: 50 of them in a second end nothing.",
        Step(0.0).hears(first).takes(permit(1)).answers(1),
        *(Step(0.1 + n / 50).hears(first).takes().naks() for n in range(50)),
        Step(1.2).hears(says.say(told(1))).takes(permit(2)).answers(2),
        Step(1.3),
    )
    says = host()
    ahead = says.say(told(0, 5))
    yield sealed(
        "replay-of-dropped",
        "A good tag keeps its counter even if a later check drops the frame: again it is a replay.",
        Step(0.0).hears(ahead, ahead).takes().naks(),
        Step(0.1).hears(says.say(told(0))).takes(permit(1)).answers(1),
        Step(0.11),
    )
    says = host()
    pulse = says.say(beat(0))
    yield sealed(
        "replayed-heartbeats",
        "Replayed heartbeats keep no session alive.",
        *(Step(n / 2).hears(pulse) for n in range(6)),
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
        Step(0.1).hears(says.say(told(65_535))).takes(permit(65_536)).answers(0).naks(),
        Step(0.2)
        .hears(says.say(Frame(2, payload(permit(7)), 0, 0, OPEN)))
        .takes(permit(7))
        .answers(1)
        .naks(),
        Step(0.3).hears(says.say(told(65_535))).takes().answers(1).naks(),
        Step(0.31),
    )


def clear_frames() -> Iterator[Vector]:
    """Clear frames in a sealed session."""
    says = host()
    yield sealed(
        "clear-dropped",
        "Clear frames of any channel are dropped in a sealed session, their acknowledgement too.",
        Step(0.0).hears(told(0), beat(0), quiet(0), quiet(0, flags=NAK)).takes().naks(),
        Step(0.1).hears(says.say(told(0))).takes(permit(1)).answers(1),
        Step(0.11),
    )
    says = host()
    yield sealed(
        "clear-many",
        "They are counted, not bad tags: 50 in a second end nothing.",
        *(Step(n / 50).hears(told(0)).takes() for n in range(50)),
        Step(1.0).hears(says.say(told(0))).takes(permit(1)).answers(1),
        Step(1.01),
    )
    yield sealed(
        "clear-heartbeats",
        "Clear heartbeats keep no session alive.",
        *(Step(n / 2).hears(beat(0)) for n in range(6)),
        Step(2.9).ends("heartbeat"),
        Step(3.1),
    )
    says = host()
    farewell = Frame(0, payload({"bye": {"reason": 1}}), 0, 0, OPEN)
    yield sealed(
        "bye",
        "A clear Bye ends nothing, a sealed one does.",
        Step(0.0).hears(farewell).takes(),
        Step(0.1).hears(says.say(farewell)).ends("bye"),
        Step(0.2),
    )


def controls() -> Iterator[Vector]:
    """What stands on channel 0, sealed."""
    says = host()
    refuse, silent = payload({"refuse": {"reason": 5}}), payload({"no_session": {}})
    yield sealed(
        "handshake-sealed",
        "The four handshake messages are never sealed: sealed ones are dropped. The session goes on.",
        Step(0.0).hears(*says.all(clear(sealed_host_hello()), clear(refuse), clear(silent))).takes().sends(),
        Step(0.1).hears(says.say(told(0))).takes(permit(1)).answers(1),
        Step(0.11),
    )
    says = host()
    commits: list[Message] = [{"event_commit": {"number": number}} for number in range(1, 41)]
    yield sealed(
        "looks-like-handshake",
        "40 sealed frames on channel 0: with counters 10, 18, 26 and 34 the first payload byte is that of a"
        " clear handshake message. SEALED tells them apart.",
        Step(0.0).hears(*(says.say(Frame(0, payload(one), 0, 0, OPEN)) for one in commits)).takes(*commits),
        Step(0.1),
    )
    says = host()
    unknown = Frame(0, nested(15, varint(8) + varint(1)), 0, 0, OPEN, CRITICAL)
    yield sealed(
        "control-unknown-critical",
        "An unknown critical control message ends the session: Bye(UNSUPPORTED), sealed.",
        Step(0.0).hears(says.say(unknown.flagged(0))).takes().sends(),
        Step(0.1).hears(says.say(unknown)).ends("unsupported").sends(bye(4)),
        Step(0.2),
    )


def contents() -> Iterator[Vector]:
    """Good tags over any message."""
    says = host()
    torn = Frame(2, payload(permit(1))[:-1], 0, 0, OPEN, CRITICAL)
    yield sealed(
        "unreadable",
        "A good tag over a message that cannot be read: acknowledged all the same.",
        Step(0.0).hears(*says.all(torn, told(1))).takes(permit(2)).answers(2).naks(),
        Step(0.01),
    )
    says = host()
    block: Message = {"block": {"offset": 192, "data": bytes(range(192))}}
    yield sealed(
        "longest",
        "209 bytes of message are taken.",
        Step(0.0).hears(says.say(Frame(3, longest(), 0, 0, OPEN))).takes(block).answers(1),
        Step(0.01),
    )
    says = host()
    stray = Frame(9, b"\x01", 77, 0, OPEN)
    yield sealed(
        "channel-ignored",
        "An unknown channel uses no sequence, but its counter is used.",
        Step(0.0).hears(*says.all(stray, told(0))).takes(permit(1)).answers(1).naks(),
        Step(0.01),
    )
    says = host()
    yield sealed(
        "wrong-direction",
        "A host's frame on the channel of events uses its sequence up, no more.",
        Step(0.0)
        .hears(*says.all(Frame(1, payload(card(1)), 0, 0, OPEN), told(1)))
        .takes(permit(2))
        .answers(2)
        .naks(),
        Step(0.01),
    )


def sending() -> Iterator[Vector]:
    """What is sent again, each time under a fresh counter."""
    says = host()
    yield sealed(
        "timeout",
        "Each repeat after a time-out is sealed anew: RETRANSMIT and a fresh counter.",
        Step(0.0).does("send", wish(1)).sends(out(0)),
        Step(0.199).sends(again(0)),
        Step(0.3).sends(),
        Step(0.6).sends(again(0)),
        Step(0.75).hears(says.say(quiet(1))).sends(),
        Step(2.0),
    )
    says = host()
    yield sealed(
        "nak-resends",
        "A NAK resends what is not acknowledged, each frame under a fresh counter.",
        *(Step(0.0).does("send", wish(number)) for number in range(1, 6)),
        Step(0.001).hears(says.say(quiet(1))).sends(*map(out, range(1, 5))),
        Step(0.01).hears(says.say(quiet(3, flags=NAK))).sends(again(3), again(4)),
        Step(0.015),
    )
    says = host()
    yield sealed(
        "forged-nak",
        "A clear NAK and one with a bad tag resend nothing, nor does a genuine one when it is replayed.",
        *(Step(0.0).does("send", wish(number)) for number in range(1, 4)),
        Step(0.001).hears(says.say(quiet(0))).sends(out(1), out(2)),
        *forged_naks(says),
        Step(0.05).hears(says.say(quiet(3))).sends(),
        Step(0.6),
    )
    says = host()
    yield sealed(
        "forged-acknowledgement",
        "A clear acknowledgement and one with a bad tag acknowledge nothing.",
        Step(0.0).does("send", wish(1)).sends(out(0)),
        Step(0.1).hears(quiet(1), says.forged(quiet(1))).sends(),
        Step(0.199).sends(again(0)),
        Step(0.3).hears(says.say(quiet(1))).sends(),
        Step(1.0),
    )


def forged_naks(says: Voice) -> Iterator[Step]:
    """A clear one, one with a bad tag, a genuine one and the same again."""
    yield Step(0.01).hears(quiet(0, flags=NAK)).sends()
    yield Step(0.02).hears(says.forged(quiet(0, flags=NAK))).sends()
    genuine = says.say(quiet(0, flags=NAK))
    yield Step(0.03).hears(genuine).sends(again(0), again(1), again(2))
    yield Step(0.04).hears(genuine).sends()
