"""Vectors of sections 4 and 7: one end of a sealed session among clear and forged frames, and its repeats."""

from collections.abc import Iterator

from generator.framing import Vector
from generator.messages import Message, nested, payload, varint
from generator.proving import clear
from generator.script import Step, bye
from generator.sealed_links import host, sealed
from generator.sealing import Voice, sealed_host_hello
from generator.sending import again, out, wish
from generator.window import beat, command, permit, quiet
from generator.wire import CRITICAL, NAK, OPEN, Frame


def defences() -> Iterator[Vector]:
    """Which frames an end accepts."""
    yield from clear_frames()
    yield from controls()
    yield from sending()
    yield from forgeries()


def clear_frames() -> Iterator[Vector]:
    """Clear frames in a sealed session."""
    says = host()
    yield sealed(
        "clear-dropped",
        "Clear frames of any channel are dropped in a sealed session, their acknowledgement too.",
        Step(0.0).gets(command(0), beat(0), quiet(0), quiet(0, flags=NAK)).delivers().naks(),
        Step(0.1).gets(says.say(command(0))).delivers(permit(1)).answers(1),
        Step(0.11),
    )
    says = host()
    yield sealed(
        "clear-many",
        "They are counted, not bad tags: 50 in a second end nothing.",
        *(Step(n / 50).gets(command(0)).delivers() for n in range(50)),
        Step(1.0).gets(says.say(command(0))).delivers(permit(1)).answers(1),
        Step(1.01),
    )
    yield sealed(
        "clear-heartbeats",
        "Clear heartbeats keep no session alive.",
        *(Step(n / 2).gets(beat(0)) for n in range(6)),
        Step(2.9).ends("heartbeat"),
        Step(3.1),
    )
    says = host()
    farewell = Frame(0, payload({"bye": {"reason": 1}}), 0, 0, OPEN)
    yield sealed(
        "bye",
        "A clear Bye ends nothing, a sealed one does.",
        Step(0.0).gets(farewell).delivers(),
        Step(0.1).gets(says.say(farewell)).ends("bye"),
        Step(0.2),
    )


def controls() -> Iterator[Vector]:
    """Sealed messages on channel 0."""
    says = host()
    refuse, silent = payload({"refuse": {"reason": 5}}), payload({"no_session": {}})
    yield sealed(
        "handshake-sealed",
        "The four handshake messages are never sealed: sealed ones are dropped. The session goes on.",
        Step(0.0)
        .gets(*says.all(clear(sealed_host_hello()), clear(refuse), clear(silent)))
        .delivers()
        .sends(),
        Step(0.1).gets(says.say(command(0))).delivers(permit(1)).answers(1),
        Step(0.11),
    )
    says = host()
    commits: list[Message] = [{"event_commit": {"number": number}} for number in range(1, 41)]
    yield sealed(
        "looks-like-handshake",
        "Payloads with counters 10, 18, 26 and 34 begin as clear handshakes do: SEALED tells.",
        Step(0.0).gets(*(says.say(Frame(0, payload(one), 0, 0, OPEN)) for one in commits)).delivers(*commits),
        Step(0.1),
    )
    says = host()
    unknown = Frame(0, nested(15, varint(8) + varint(1)), 0, 0, OPEN, CRITICAL)
    yield sealed(
        "control-unknown-critical",
        "An unknown critical control message ends the session: Bye(UNSUPPORTED), sealed.",
        Step(0.0).gets(says.say(unknown.flagged(0))).delivers().sends(),
        Step(0.1).gets(says.say(unknown)).ends("unsupported").sends(bye(4)),
        Step(0.2),
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
        Step(0.75).gets(says.say(quiet(1))).sends(),
        Step(2.0),
    )
    says = host()
    yield sealed(
        "nak-resends",
        "A NAK resends what is not acknowledged, each frame under a fresh counter.",
        *(Step(0.0).does("send", wish(number)) for number in range(1, 6)),
        Step(0.001).gets(says.say(quiet(1))).sends(*map(out, range(1, 5))),
        Step(0.01).gets(says.say(quiet(3, flags=NAK))).sends(again(3), again(4)),
        Step(0.015),
    )


def forgeries() -> Iterator[Vector]:
    """Acknowledgements and NAKs that the peer never sent, or sent only once."""
    says = host()
    yield sealed(
        "forged-nak",
        "A clear NAK and one with a bad tag resend nothing, nor does a genuine one when it is replayed.",
        *(Step(0.0).does("send", wish(number)) for number in range(1, 4)),
        Step(0.001).gets(says.say(quiet(0))).sends(out(1), out(2)),
        *forged_naks(says),
        Step(0.05).gets(says.say(quiet(3))).sends(),
        Step(0.6),
    )
    says = host()
    yield sealed(
        "forged-acknowledgement",
        "A clear acknowledgement and one with a bad tag acknowledge nothing.",
        Step(0.0).does("send", wish(1)).sends(out(0)),
        Step(0.1).gets(quiet(1), says.forged(quiet(1))).sends(),
        Step(0.199).sends(again(0)),
        Step(0.3).gets(says.say(quiet(1))).sends(),
        Step(1.0),
    )


def forged_naks(says: Voice) -> Iterator[Step]:
    """A clear one, one with a bad tag, a genuine one and the same again."""
    yield Step(0.01).gets(quiet(0, flags=NAK)).sends()
    yield Step(0.02).gets(says.forged(quiet(0, flags=NAK))).sends()
    genuine = says.say(quiet(0, flags=NAK))
    yield Step(0.03).gets(genuine).sends(again(0), again(1), again(2))
    yield Step(0.04).gets(genuine).sends()
