"""Vectors of section 5: messages of a later version, and bytes that are not messages."""

from collections.abc import Iterator

from generator.catalogue import BOOT
from generator.framing import Vector
from generator.messages import Message, Value, as_json, nested, payload, varint


def strange() -> Iterator[Vector]:
    """Payloads with unknown parts, and payloads that are not messages."""
    yield from unknown_parts()
    yield from oversize()
    yield from unreadable()


def unknown_parts() -> Iterator[Vector]:
    """What a later minor version may send."""
    permit: Message = {"command": {"key": 9, "permit": {"up_to": 18}}}
    later = nested(
        24, varint(8) + varint(9) + nested(20, varint(8) + varint(18) + varint(15 << 3) + varint(1))
    )
    yield odd("field-unknown", "An unknown field inside a known message is ignored.", later, permit)
    yield odd(
        "field-unknown-outside", "So is one beside it.", payload(permit) + varint(99 << 3) + varint(7), permit
    )
    yield odd("message-unknown-frame", "A Frame that holds message 50.", nested(50, b"\x08\x01"), "unknown")
    command = nested(24, varint(8) + varint(9) + nested(99, b""))
    yield odd(
        "message-unknown-command", "A Command that holds command 99; its key is readable.", command, "unknown"
    )
    event = nested(16, varint(8) + varint(42) + nested(99, b""))
    yield odd(
        "message-unknown-event", "An Event that holds event 99; its number is readable.", event, "unknown"
    )
    yield odd(
        "message-empty-event", "An Event that holds none.", nested(16, varint(8) + varint(42)), "unknown"
    )


def oversize() -> Iterator[Vector]:
    """Each kind of sized field, one byte too long."""
    for name, message in OVERSIZE.items():
        yield odd(
            f"oversize-{name}",
            f"A field one byte over its greatest size: {name.replace('-', ', ')}.",
            payload(message),
            "unreadable",
        )
    accents: Message = {"command": {"key": 1, "text": {"line": 1, "text": "é" * 33}}}
    yield odd(
        "oversize-utf8",
        "Sizes count bytes: 33 letters of two bytes are 66.",
        payload(accents),
        "unreadable",
    )
    for size, becomes in ((209, ROOMY), (210, "unreadable")):
        roomy = nested(34, nested(3, b"x" * 160) + nested(15, b"z" * (size - 169)))
        yield odd(f"message-{size}", f"A message of {size} bytes; the greatest has 209.", roomy, becomes)


ROOMY: Message = {"log": {"uptime_us": 0, "level": 0, "text": "x" * 160}}


def command(name: str, body: Message) -> Message:
    """A command with key 1."""
    return {"command": {"key": 1, name: body}}


def event(name: str, body: Message) -> Message:
    """An event with number 1."""
    return {"event": {"number": 1, "uptime_us": 1, "boot": BOOT, name: body}}


OVERSIZE: dict[str, Message] = {
    "refuse-text": {"refuse": {"reason": 1, "text": "x" * 81}},
    "bye-text": {"bye": {"reason": 1, "text": "x" * 81}},
    "result-text": {"result": {"key": 1, "status": 1, "text": "x" * 81}},
    "log-text": {"log": {"uptime_us": 1, "level": 1, "text": "x" * 161}},
    "block-data": {"block": {"offset": 0, "data": bytes(193)}},
    "hello-nonce": {"hello": {"side": 1, "major": 1, "seal": 1, "nonce": b"n" * 17}},
    "hello-id": {"hello": {"side": 2, "major": 1, "seal": 1, "id": "i" * 25}},
    "hello-hardware": {"hello": {"side": 2, "major": 1, "seal": 1, "hardware": "h" * 13}},
    "hello-log": {"hello": {"side": 2, "major": 1, "seal": 1, "log": b"l" * 9}},
    "proof-mac": {"proof": {"side": 1, "transcript": b"t" * 8, "mac": b"m" * 33}},
    "proof-share": {"proof": {"side": 1, "transcript": b"t" * 8, "share": b"s" * 33}},
    "event-boot": {"event": {"number": 1, "boot": b"b" * 9, "empty": {}}},
    "fault-text": event("fault", {"code": 1, "on": True, "text": "x" * 81}),
    "card": event("card_drawn", {"count": 1, "card": "10s"}),
    "deck-counts": event("deck_check", {"decks": 1, "counts": b"\1" * 53}),
    "key-action": event("key", {"action": "a" * 17}),
    "lamps": command("lamps", {"ttl_ms": 1000, "lamps": b"\1" * 55}),
    "text": command("text", {"line": 1, "text": "x" * 65}),
    "prompt": command("prompt", {"text": "x" * 121}),
}


def unreadable() -> Iterator[Vector]:
    """Bytes that protobuf cannot read."""
    whole = payload(command("permit", {"up_to": 18}))
    for length in range(1, len(whole)):
        shows = f"A permit cut short: {length} of its {len(whole)} bytes."
        yield odd(f"cut-{length}", shows, whole[:length], "unreadable")
    yield odd("wire-type-7", "A wire type that does not exist.", b"\x0f\x01", "unreadable")
    yield odd("varint-endless", "A varint of eleven bytes.", b"\xff" * 10 + b"\x01", "unreadable")
    bad = nested(24, varint(8) + varint(1) + nested(52, varint(8) + varint(1) + nested(2, b"\xff\xfe")))
    yield odd("text-not-utf8", "Text that is not UTF-8.", bad, "unreadable")


def odd(name: str, shows: str, data: bytes, becomes: Value) -> Vector:
    """One payload, and the message or the word it becomes."""
    out = {"message": as_json(becomes)} if isinstance(becomes, dict) else {"message": None, "is": becomes}
    return {"name": name, "kind": "payload", "shows": shows, "payload": data.hex(), **out}
