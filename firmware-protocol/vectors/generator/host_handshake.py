"""Vectors of sections 6, 8 and 9 for a host: its whole end, from the first Hello on."""

from collections.abc import Iterator

from generator.framing import Vector
from generator.messages import Message, payload
from generator.proving import (
    BOOT,
    DEVICE_NONCE,
    HOST_NONCE,
    HOST_SECRET,
    LOG,
    SECOND_NONCE,
    SERIAL,
    Agreed,
    clear,
    device_hello,
    host_hello,
    proof,
    proved,
    transcript,
)
from generator.script import Step, provisioned, script, sent
from generator.wire import CRITICAL, OPEN, Frame

SECOND_SECRET = bytes(range(0x50, 0x70))
"""The secret of the host's share in its second attempt."""
JOURNAL: dict[str, object] = {"log": LOG.hex(), "newest": 1, "last_key": 0, "cards": 0, "open_actions": []}
Sent = dict[str, object]


def host(name: str, shows: str, *steps: Step, key: bytes = b"", **journal: object) -> Vector:
    """A script for the host of a shoe. `journal` is what it knew before. With a key, its sessions are
    sealed."""
    setting = {
        "expected": journal.pop("expected", {"device_class": 1, "id": SERIAL}),
        "journal": JOURNAL | journal,
        "nonces": [HOST_NONCE.hex(), SECOND_NONCE.hex()],
    } | provisioned(key)
    if key:
        setting["secrets"] = [HOST_SECRET.hex(), SECOND_SECRET.hex()]
    return script("host", f"host-{name}", shows, "host", steps, **setting)


def first_word(nonce: bytes = HOST_NONCE) -> Sent:
    """Step 1."""
    return control(host_hello(nonce=nonce))


def control(data: bytes) -> Sent:
    """A handshake payload that must go out."""
    return {"flags": 0, "channel": 0, "sequence": 0, "payload": data.hex()}


def refuse(reason: int, nonce: bytes = DEVICE_NONCE) -> Sent:
    """A Refuse that must go out; its text is free."""
    message = {"refuse": {"echo": nonce.hex(), "reason": reason}}
    return {"flags": 0, "channel": 0, "sequence": 0, "message": message}


def command(sequence: int, key: int, name: str, body: Message) -> Sent:
    """A command that must go out."""
    return sent(2, sequence, {"command": {"key": key, name: body}}, CRITICAL)


def opening(hello: bytes, *, end: float = 0.03) -> list[Step]:
    """Steps 1 to 4 with that device. The last step is the installed session."""
    whole = transcript(host_hello(), hello)
    return [
        Step(0.0).sends(first_word()),
        Step(end - 0.02).gets(clear(hello)).sends(control(proof(1, whole))),
        Step(end).gets(clear(proof(2, whole))),
    ]


def beat(acknowledgement: int, **fields: int) -> Frame:
    """The device's heartbeat. Unless `fields` say otherwise, it has had one event."""
    body: Message = {"now_us": 1, "mode": 1, "newest": 1, **fields}
    return Frame(0, payload({"heartbeat": body}), 0, acknowledgement, OPEN)


def result(sequence: int, key: int, status: int, acknowledgement: int) -> Frame:
    """The device's answer."""
    return Frame(2, payload({"result": {"key": key, "status": status}}), sequence, acknowledgement, OPEN)


def event(sequence: int, number: int, acknowledgement: int = 0) -> Frame:
    """An event without consequences."""
    body: Message = {"number": number, "uptime_us": number, "boot": BOOT, "cover": {"open": True}}
    return Frame(1, payload({"event": body}), sequence, acknowledgement, OPEN)


def handshakes() -> Iterator[Vector]:
    """Accepted handshakes, and what is dropped on the way."""
    whole = transcript(host_hello(), device_hello())
    yield host(
        "handshake",
        "Steps 1 to 4, then Resume: the journal has event 1, so 2 is next.",
        *opening(device_hello())[:2],
        Step(0.03)
        .gets(clear(proof(2, whole)))
        .sends(command(0, 1, "resume", {"next": 2}))
        .reports(up("known")),
        Step(0.05),
    )
    yield host(
        "hello-repeated",
        "Step 1 is repeated every 250 ms; after 8 a fresh nonce.",
        Step(0.0).sends(*[first_word()] * 8),
        Step(1.95).sends(first_word(SECOND_NONCE)),
        Step(2.2),
    )
    yield host(
        "proof-repeated",
        "Step 3 is repeated every 250 ms; after 8 a fresh nonce and step 1.",
        *opening(device_hello())[:1],
        Step(0.1).gets(clear(device_hello())).sends(*[control(proof(1, whole))] * 8),
        Step(2.05).sends(first_word(SECOND_NONCE)),
        Step(2.3),
    )
    yield from foreign_hellos()
    yield from proofs()
    yield from refusals()
    yield from forgeries()


def forgeries() -> Iterator[Vector]:
    """Handshake messages at the wrong time."""
    whole = transcript(host_hello(), device_hello())
    refuse_us = payload({"refuse": {"echo": HOST_NONCE, "reason": 3}})
    forged = (clear(device_hello()), clear(proof(2, whole)), clear(refuse_us))
    yield host(
        "handshake-in-session",
        "In a session handshake messages, which anyone can forge, change nothing.",
        *opening(device_hello()),
        Step(0.04).gets(beat(1)).sends(command(1, 2, "arm", {"seen": 1})),
        Step(0.06).gets(*forged).sends().reports(),
        Step(0.08).gets(result(0, 1, 1, 2), result(1, 2, 1, 2)).reports({"running": {}}),
        Step(0.1),
    )


def foreign_hellos() -> Iterator[Vector]:
    """A Hello that answers no Hello, or one of another host."""
    whole = transcript(host_hello(), device_hello())
    for name, shows, hello in (
        ("wrong-echo", "A Hello that echoes another nonce is dropped.", device_hello(echo=SECOND_NONCE)),
        ("no-echo", "So is one without an echo.", device_hello(echo=b"")),
        ("own-hello", "So is the host's own Hello, come back over a bad line.", host_hello()),
    ):
        welcome = Step(0.02).gets(clear(device_hello())).sends(control(proof(1, whole)))
        yield host(name, shows, Step(0.0), Step(0.01).gets(clear(hello)).sends(), welcome, Step(0.1))


def proofs() -> Iterator[Vector]:
    """Step 4, right and wrong."""
    whole = transcript(host_hello(), device_hello())
    sharing = proved(2, whole, Agreed(whole).device_mac, HOST_SECRET)
    yield host(
        "proof-share-present",
        "Where nothing is sealed a Proof with a share is dropped; the right one still counts.",
        *opening(device_hello())[:2],
        Step(0.03).gets(clear(sharing)).sends().reports(),
        Step(0.04).gets(clear(proof(2, whole))).reports(up("known")),
        Step(0.05),
    )
    other = transcript(host_hello(nonce=SECOND_NONCE), device_hello())
    start = opening(device_hello())[:2]
    yield host(
        "proof-other-transcript",
        "A Proof for another transcript is dropped; the right one still counts.",
        *start,
        Step(0.03).gets(clear(proof(2, other))).sends().reports(),
        Step(0.04).gets(clear(proof(2, whole))).reports(up("known")),
        Step(0.05),
    )
    yield host(
        "proof-wrong-key",
        "A Proof made with another key: Refuse(PROOF).",
        *start,
        Step(0.03)
        .gets(clear(proof(2, whole, b"\1" * 32)))
        .sends(refuse(5))
        .reports({"refused": {"reason": "PROOF"}}),
        Step(0.1),
    )
    yield host(
        "proof-own",
        "The host's own Proof, come back over a bad line, is dropped.",
        *start,
        Step(0.03).gets(clear(proof(1, whole))).sends().reports(),
        Step(0.1),
    )
    yield host(
        "hello-twice",
        "The device's Hello again while step 3 is out changes nothing.",
        *start,
        Step(0.03).gets(clear(device_hello())).sends().reports(),
        Step(0.1),
    )


def refusals() -> Iterator[Vector]:
    """Devices that the host refuses, and a host that is refused."""
    for word, reason, shows, changes in (
        ("VERSION", 1, "Another major version.", {"major": 2}),
        ("SCHEMA", 2, "The same minor version with another message list.", {"schema": b"\0" * 7 + b"\1"}),
        ("IDENTITY", 3, "Another serial number.", {"id": "SHOE-0002"}),
        ("IDENTITY", 3, "Another class.", {"device_class": 2}),
        ("SEAL", 4, "A sealed device where none is configured.", {"seal": 2}),
    ):
        name = "-".join(["refuses", *changes])
        hello = device_hello(**changes)
        refused = Step(0.01).gets(clear(hello)).sends(refuse(reason)).reports({"refused": {"reason": word}})
        yield host(name, shows, Step(0.0), refused, Step(0.1))
    yield host(
        "refuses-memory",
        "After its proof: its log ends before the journal does, it was rolled back or cloned.",
        *opening(device_hello())[:2],
        Step(0.03)
        .gets(clear(proof(2, transcript(host_hello(), device_hello()))))
        .sends(refuse(7))
        .reports({"refused": {"reason": "MEMORY"}}),
        Step(0.1),
        newest=5,
    )
    later = device_hello(minor=1, schema=b"\7" * 8)
    whole = transcript(host_hello(), later)
    accepted = Step(0.01).gets(clear(later)).sends(control(proof(1, whole)))
    yield host("later-minor", "Another minor version may have another list.", Step(0.0), accepted, Step(0.1))
    refusal = payload({"refuse": {"echo": HOST_NONCE, "reason": 2, "text": "schema"}})
    step = Step(0.01).gets(clear(refusal)).sends().reports({"refused": {"reason": "SCHEMA"}})
    yield host("refused", "A Refuse that echoes our nonce ends the attempt.", Step(0.0), step, Step(0.4))
    foreign = payload({"refuse": {"echo": SECOND_NONCE, "reason": 2}})
    yield host(
        "refused-foreign",
        "A Refuse that echoes another nonce is dropped.",
        Step(0.0),
        Step(0.01).gets(clear(foreign)).sends().reports(),
        Step(0.1),
    )


def up(relation: str) -> dict[str, object]:
    """A session is installed."""
    return {"up": {"relation": relation}}


def arrived(number: int, *, history: bool = False) -> dict[str, object]:
    """An event comes up."""
    return {"event": {"number": number, "history": history}}
