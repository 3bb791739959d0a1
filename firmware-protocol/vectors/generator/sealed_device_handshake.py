"""Vectors of sections 6 and 7 for a device that has a key: the handshake."""

from collections.abc import Iterator

from generator.device import THIRD_NONCE, Moment, arm, event, resume
from generator.framing import Vector
from generator.messages import nested, schema, write
from generator.proving import HOST_NONCE, clear
from generator.sealed_device import Talk, refuse, sealed, talk
from generator.sealing import OTHER_KEY, SEALED_DRAWN, sealed_device_hello, sealed_host_hello

VERSION = 1
SCHEMA = 2
SEAL = 4
PROOF = 5
BAD_PROOF = {"critical": True, "event": {"number": 2, "tamper": {"what": 2, "count": 1}}}
BOOTED = event(1, "booted", reset=1)


def handshakes() -> Iterator[Vector]:
    """From Hello to the first sealed frames."""
    one = talk()
    yield sealed(
        "handshake",
        "Steps 1 to 4 in clear, then all is sealed: Resume, the event, the results, Arm.",
        *one.opening(),
        Moment(0.02).gets(*one.say(resume(0, 1, 1))).results((1, 1)).events(BOOTED),
        Moment(0.03).gets(*one.say(arm(1, 2))).results((2, 1)).reports({"armed": {}}),
        Moment(0.05),
    )
    one = talk()
    yield sealed(
        "first-frame",
        "The first frame of the session is a heartbeat, sealed under counter 0.",
        one.begin(0.0),
        one.install(0.01).with_("beats", {"count": 1, "last": {"newest": 1, "armed": False, "mode": 1}}),
        Moment(0.02),
    )
    yield from as_sent()
    yield from refusals()
    yield from proofs()
    yield from other_transcripts()
    yield from reflections()


def as_sent() -> Iterator[Vector]:
    """T is made of the bytes that came."""
    body = write("hello", {"side": 1, "major": 1, "schema": schema(), "seal": 2, "nonce": HOST_NONCE})
    nonce_first = body[-18:] + body[:-18]
    for name, shows, changed in (
        ("unknown-field", "A field nobody knows is ignored, and is part of T.", body + nested(30, b"later")),
        ("field-order", "Fields in another order are read, and T has them as they came.", nonce_first),
    ):
        one = Talk(nested(1, changed), sealed_device_hello())
        opening = one.opening()
        resumed = Moment(0.02).gets(*one.say(resume(0, 1, 1))).results((1, 1)).events(BOOTED)
        yield sealed(f"hello-{name}", shows, *opening, resumed, Moment(0.03))


def refusals() -> Iterator[Vector]:
    """Hosts that the device refuses."""
    for name, shows, reason, hello in (
        ("version", "Another major version.", VERSION, sealed_host_hello(major=2)),
        (
            "schema",
            "The same minor version, another message list.",
            SCHEMA,
            sealed_host_hello(schema=bytes(8)),
        ),
        ("none", "A host without a key.", SEAL, sealed_host_hello(seal=1)),
        ("no-seal", "A host that does not say how it seals.", SEAL, sealed_host_hello(seal=0)),
        ("seal-3", "A seal nobody knows.", SEAL, sealed_host_hello(seal=3)),
    ):
        refused = Moment(0.0).gets(clear(hello)).says_like(refuse(reason))
        yield sealed(
            f"refuses-{name}",
            f"{shows} The next one may be welcome.",
            refused,
            *talk().opening(0.1),
            Moment(0.2),
        )
    later = Talk(sealed_host_hello(minor=1, schema=b"\7" * 8), sealed_device_hello())
    yield sealed("later-minor", "Another minor version may have another list.", *later.opening(), Moment(0.1))


def proofs() -> Iterator[Vector]:
    """Step 3, right and wrong."""
    for name, shows, key in (
        ("wrong-key", "A Proof made with another device's K", OTHER_KEY),
        ("no-key", "A Proof made with the 32 zero bytes of seal = none", bytes(32)),
    ):
        one = talk()
        yield sealed(
            f"proof-{name}",
            f"{shows}: Refuse(PROOF) and a tamper event; the right one still counts.",
            one.begin(0.0),
            Moment(0.1).gets(clear(one.proved(key))).says_like(refuse(PROOF)),
            one.install(0.2),
            Moment(0.3).gets(*one.say(resume(0, 1, 2))).results((1, 1)).events(BAD_PROOF),
            Moment(0.35),
        )
    one = talk()
    swapped = one.confirmed.replace(b"\x08\x02", b"\x08\x01", 1)
    yield sealed(
        "proof-device-text",
        "The device's own mac as the host's: each side proves with a text of its own, so it is wrong.",
        one.begin(0.0),
        Moment(0.1).gets(clear(swapped)).says_like(refuse(PROOF)),
        one.install(0.2),
        Moment(0.25),
    )


def other_transcripts() -> Iterator[Vector]:
    """Proofs that answer another handshake."""
    one = talk()
    other = Talk(one.hello, sealed_device_hello(nonce=SEALED_DRAWN.nonce(1)))
    yield sealed(
        "proof-other-transcript",
        "A right mac over another transcript is dropped, and is no tamper.",
        one.begin(0.0),
        Moment(0.1).gets(clear(other.proof)).says(),
        one.install(0.2),
        Moment(0.3).gets(*one.say(resume(0, 1, 2))).results((1, 1)).events(),
        Moment(0.35),
    )
    one, two = talk(), talk(THIRD_NONCE, nonce=1)
    yield sealed(
        "hello-other",
        "A host that starts over says another Hello: it replaces the pending one, and only its Proof counts.",
        one.begin(0.0),
        two.begin(0.1),
        Moment(0.2).gets(clear(one.proof)).says(),
        two.install(0.3),
        Moment(0.4).gets(*two.say(resume(0, 1, 2))).results((1, 1)),
        Moment(0.45),
    )


def reflections() -> Iterator[Vector]:
    """The device's own messages."""
    one = talk()
    yield sealed(
        "own-words",
        "Its own Hello and its own Proof, come back over a bad line, are dropped at any time.",
        Moment(0.0).gets(clear(one.answer)).says(),
        one.begin(0.1),
        Moment(0.2).gets(clear(one.answer)).says(),
        one.install(0.3),
        Moment(0.4).gets(clear(one.answer), clear(one.confirmed)).says(),
        Moment(0.5).gets(*one.say(resume(0, 1, 2))).results((1, 1)).events(),
        Moment(0.55),
    )
