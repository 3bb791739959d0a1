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
    yield from values()
    yield from encodings()
    yield from repeats()


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


def values() -> Iterator[Vector]:
    """Values above their type, and contents that their type does not allow: rules 4 and 5."""
    for name, shows, data in (
        ("u32-2^32", "a u of 2^32.", nested(33, number(1, 2**32))),
        ("i-2^32", "an i of 2^32 before the zigzag is undone.", nested(40, number(2, 2**32))),
        ("u64-2^53", "a U of 2^53.", nested(6, number(1, 2**53))),
        ("bool-2", "a b of 2.", in_event(25, number(1, 2))),
        ("hello-ones", "a Hello whose numbers are all 2^64 − 1.", payload(ones_hello())),
        ("key_lamps-ones", "a mask of 2^64 − 1.", payload(command("key_lamps", {"mask": ONES}))),
    ):
        yield odd(name, f"Rule 4: {shows}", data, "unreadable")
    for name, shows, data in (
        ("fixed-short", "a mac of 31 bytes.", nested(2, number(1, 1) + nested(3, bytes(31)))),
        ("fixed-empty", "a mac of no bytes that is present.", nested(2, number(1, 1) + nested(3, b""))),
        ("text-nul", "a text that holds a NUL.", nested(7, nested(2, b"so\0long"))),
        ("card-missing", "a card event without a card.", in_event(20, number(1, 17))),
    ):
        yield odd(name, f"Rule 5: {shows}", data, "unreadable")


def encodings() -> Iterator[Vector]:
    """Varints, tags and wire types: rules 1 and 2."""
    commit: Message = {"event_commit": {"number": 41}}
    long = varint(1 << 3) + padded(41, 10)
    yield odd("varint-padded", "Rule 1 allows padded varints.", nested(6, long), commit)
    padded_tag = padded(6 << 3 | 2, 10) + padded(2, 10) + number(1, 41)
    yield odd("tag-padded", "Rule 1 allows padded tags and lengths.", padded_tag, commit)
    for name, shows, data in (
        ("tag-33-bits", "a tag of 33 bits.", nested(6, number(1, 41)) + varint(1 << 32) + varint(1)),
        ("field-0", "field number 0.", nested(6, number(1, 41)) + number(0, 1)),
    ):
        yield odd(name, f"Rule 1: {shows}", data, "unreadable")
    for name, shows, data in (
        ("wire-type-known", "a number as 8 bytes.", nested(6, b"\x09" + bytes(8))),
        ("wire-type-group-unknown", "an unknown group.", nested(6, number(1, 41)) + b"\x9b\x06\x9c\x06"),
    ):
        yield odd(name, f"Rule 2: {shows}", data, "unreadable")


def repeats() -> Iterator[Vector]:
    """What occurs twice: rule 3."""
    good, bad = nested(6, number(1, 41)), nested(7, nested(2, b"x" * 81))
    permit = nested(20, number(1, 18))
    for name, shows, data in (
        ("twice-known", "a known field twice.", nested(6, number(1, 41) + number(1, 41))),
        ("twice-nested", "a known field twice, two levels deep.", in_command(20, number(1, 18) * 2)),
        ("two-members-good-good", "two members of a Frame, both good.", good + nested(7, b"")),
        ("two-bodies", "two bodies of a Command.", nested(24, number(1, 9) + permit + nested(21, b""))),
    ):
        yield odd(name, f"Rule 3: {shows}", data, "unreadable")
    both = "Rule 5 and rule 3: two members of a Frame, the first one unreadable."
    yield odd("two-members-bad-good", both, bad + good, "unreadable")
    unknown = nested(6, number(1, 41) + number(15, 1) * 2) + number(99, 7) * 2
    twice = "Rule 3 is about known fields alone: an unknown one may occur twice."
    yield odd("unknown-twice", twice, unknown, {"event_commit": {"number": 41}})


ONES = 2**64 - 1


def ones_hello() -> Message:
    """A Hello with the numbers of erased flash."""
    numbers: Message = dict.fromkeys(("oldest", "newest", "committed", "last_key", "cards"), ONES)
    return {"hello": {"side": 2, "major": 1, "seal": 1, **numbers}}


def number(field: int, value: int) -> bytes:
    """A field with a number, zero or not."""
    return varint(field << 3) + varint(value)


def padded(value: int, size: int) -> bytes:
    """A varint of so many bytes."""
    data = bytearray(size)
    for place in range(size):
        data[place] = value >> 7 * place & 127 | 128 * (place < size - 1)
    return bytes(data)


def in_command(field: int, body: bytes) -> bytes:
    """A Command with key 1 and that body."""
    return nested(24, number(1, 1) + nested(field, body))


def in_event(field: int, body: bytes) -> bytes:
    """An Event with number 1 and that body."""
    return nested(16, number(1, 1) + nested(field, body))


def odd(name: str, shows: str, data: bytes, becomes: Value) -> Vector:
    """One payload, and the message or the word it becomes."""
    out = {"message": as_json(becomes)} if isinstance(becomes, dict) else {"message": None, "is": becomes}
    return {"name": name, "kind": "payload", "shows": shows, "payload": data.hex(), **out}
