"""Vectors of section 6 for a device: the handshake, and what cannot end a session."""

from collections.abc import Iterator

from generator.device import (
    FIRST_PROOF,
    THIRD_NONCE,
    Moment,
    again,
    answer_with,
    beat,
    device,
    opening,
    order,
)
from generator.framing import Vector
from generator.messages import Message, nested, payload, varint
from generator.proving import CLEAR, HOST_NONCE, clear, device_hello, host_hello, proof, transcript
from generator.wire import CRITICAL, OPEN, Frame


def handshakes() -> Iterator[Vector]:
    """Steps 2 and 4, what is repeated and what is dropped."""
    yield device("silent", "A device says nothing until it is spoken to.", Moment(0.0).says(), Moment(4.0))
    yield device(
        "hello-same",
        "The same Hello bytes get the same answer bytes for 5 s, then a new nonce.",
        Moment(0.0).gets(clear(host_hello())).says(device_hello()),
        Moment(0.25).gets(clear(host_hello())).says(device_hello()),
        Moment(4.9).gets(clear(host_hello())).says(device_hello()),
        Moment(5.1).gets(clear(host_hello())).says(device_hello(nonce=CLEAR.nonce(1))),
        Moment(5.2),
    )
    yield from pending()
    yield device(
        "proof-same",
        "The same Proof gets the same bytes and resets nothing: sequences go on.",
        *opening(),
        Moment(0.02).gets(order(0, 1, "resume", {"next": 2})).results((1, 1)),
        Moment(0.03).gets(clear(FIRST_PROOF)).says(proof(2, transcript(host_hello(), device_hello()))),
        Moment(0.04).gets(order(1, 2, "arm", {"seen": 1})).results((2, 1)).reports({"armed": {}}),
        Moment(0.05),
    )
    yield device(
        "own-hello",
        "A device's Hello, come back over a bad line, is dropped.",
        Moment(0.0).gets(clear(device_hello())).says(),
        Moment(0.1),
    )
    yield from malformed()
    yield from refusals()
    yield from attacks()


def malformed() -> Iterator[Vector]:
    """Handshake messages that violate section 6.1."""
    hello = host_hello()
    numbered = (Frame(0, hello, 1), Frame(0, hello, 0, 1), Frame(0, hello, 0, 0, OPEN))
    yield device(
        "hello-numbered",
        "A Hello with a sequence, an acknowledgement or a credit is dropped.",
        *(Moment(n / 10).gets(frame).says() for n, frame in enumerate(numbered)),
        Moment(0.3).gets(clear(hello)).says(device_hello()),
        Moment(0.4),
    )
    yield device(
        "hello-short-nonce",
        "A nonce has 16 bytes: a Hello with 15, or with none, is dropped.",
        Moment(0.0).gets(clear(host_hello(nonce=HOST_NONCE[:15])), clear(host_hello(nonce=b""))).says(),
        Moment(0.1).gets(clear(hello)).says(device_hello()),
        Moment(0.2),
    )


def pending() -> Iterator[Vector]:
    """One handshake is pending at a time."""
    other = host_hello(nonce=THIRD_NONCE)
    answer = answer_with()
    yield device(
        "hello-other",
        "Another Hello replaces the pending one: only its Proof counts.",
        Moment(0.0).gets(clear(host_hello())).says(device_hello()),
        Moment(0.1).gets(clear(other)).says(answer),
        Moment(0.2).gets(clear(FIRST_PROOF)).says(),
        Moment(0.3)
        .gets(clear(proof(1, transcript(other, answer))))
        .says(proof(2, transcript(other, answer))),
        Moment(0.4),
    )


def refusals() -> Iterator[Vector]:
    """Hosts that the device refuses."""
    for word, reason, changes in (
        ("version", 1, {"major": 2}),
        ("schema", 2, {"schema": b"\0" * 7 + b"\1"}),
        ("seal", 4, {"seal": 2}),
    ):
        refuse: Message = {"refuse": {"echo": HOST_NONCE, "reason": reason}}
        message = Moment(0.0).gets(clear(host_hello(**changes))).says_like(refuse)
        welcome = Moment(0.1).gets(clear(host_hello())).says(device_hello())
        shows = f"A Hello with another {word} is refused; the next one may be welcome."
        yield device(f"refuses-{word}", shows, message, welcome, Moment(0.2))
    later = host_hello(minor=1, schema=b"\7" * 8)
    yield device(
        "later-minor",
        "Another minor version may have another list.",
        Moment(0.0).gets(clear(later)).says(device_hello()),
        Moment(0.1),
    )


def attacks() -> Iterator[Vector]:
    """What cannot end a session, and what an outsider leaves behind."""
    bad = proof(1, transcript(host_hello(), device_hello()), b"\1" * 32)
    refuse: Message = {"refuse": {"echo": HOST_NONCE, "reason": 5}}
    tamper = {"critical": True, "event": {"number": 2, "tamper": {"what": 2, "count": 1}}}
    yield device(
        "proof-bad",
        "A bad mac: Refuse(PROOF) and a tamper event; the handshake stays pending.",
        Moment(0.0).gets(clear(host_hello())).says(device_hello()),
        Moment(0.1).gets(clear(bad)).says_like(refuse),
        Moment(0.2).gets(clear(FIRST_PROOF), beat()).says(proof(2, transcript(host_hello(), device_hello()))),
        Moment(0.3).gets(order(0, 1, "resume", {"next": 2})).events(tamper).results((1, 1)),
        Moment(0.4).gets(order(1, 2, "arm", {"seen": 1})).results((2, 4)),
        Moment(0.45),
    )
    third = host_hello(nonce=THIRD_NONCE)
    answer = answer_with()
    worse = proof(1, transcript(third, answer), b"\1" * 32)
    yield device(
        "hello-ends-nothing",
        "In a session another Hello is answered and a bad Proof refused; the session goes on.",
        *opening(),
        Moment(0.02).gets(clear(third)).says(answer),
        Moment(0.03).gets(clear(worse)).says_like({"refuse": {"echo": THIRD_NONCE, "reason": 5}}),
        Moment(0.04).gets(order(0, 1, "resume", {"next": 2})).results((1, 1)).events(tamper),
        Moment(0.05),
    )
    yield device(
        "proved-ends-older",
        "A proved handshake ends the older session: sequences start again, Arm is gone.",
        *opening(),
        Moment(0.02).gets(order(0, 1, "arm", {"seen": 1})).reports({"armed": {}}).results((1, 1)),
        *again(0.1, committed=1),
        Moment(0.2).gets(order(0, 2, "permit", {"up_to": 1})).results((2, 3)),
        Moment(0.25),
    )
    yield from strays()


def strays() -> Iterator[Vector]:
    """Frames without a session, and control messages of a later version."""
    silent = payload({"no_session": {}})
    yield device(
        "no-session",
        "Frames of a session that it does not have get NoSession, once in 250 ms.",
        Moment(0.0).gets(order(0, 1, "resume", {"next": 1}), beat()).says(silent),
        Moment(0.1).gets(beat()).says(),
        Moment(0.3).gets(beat()).says(silent),
        Moment(0.4),
    )
    unknown = Frame(0, nested(15, varint(8) + varint(1)), 0, 0, OPEN, CRITICAL)
    yield device(
        "control-unknown-critical",
        "An unknown control message with CRITICAL: Bye(UNSUPPORTED).",
        *opening(),
        Moment(0.02).gets(unknown.flagged(0)).says(),
        Moment(0.03).gets(unknown).says_like({"bye": {"reason": 4}}).reports({"safe": {}}),
        Moment(0.04).gets(beat()).says(silent),
        Moment(0.05),
    )
