"""Vectors of sections 5 and 14: every message of every class, and what is no message."""

from collections.abc import Iterator

from generator.framing import Vector
from generator.messages import Message, Value, nested, payload, schema, shown, varint

BOOT = bytes(range(1, 9))
BIG = 2**64 - 1
BIG32 = 2**32 - 1

FRAMES: dict[int, Message] = {
    0: {
        "hello": {
            "side": 2, "major": 1, "minor": 0, "schema": schema(), "seal": 1,
            "nonce": bytes(range(0xB0, 0xC0)), "echo": bytes(range(0xA0, 0xB0)), "boot": BOOT,
            "id": "SHOE-0001-ABCDEFGHIJKLMN", "device_class": 1,
            "hardware": "rev-C-000012", "firmware": "1.22.333-rc4", "reset": 4, "log": b"\xf0\1\2\3\4\5\6\7",
            "oldest": BIG, "newest": BIG, "committed": BIG, "last_key": BIG, "cards": BIG, "test_slot": True,
        },
        "proof": {"side": 1, "transcript": bytes(range(8)), "mac": bytes(range(32))},
        "refuse": {"echo": bytes(range(0xA0, 0xB0)), "reason": 3, "text": "SHOE-0009 is not SHOE-0001"},
        "no_session": {},
        "heartbeat": {
            "now_us": 3_000_000, "echo_us": 2_999_000, "held_us": 400, "committed": 41, "newest": 42,
            "free": 1023, "armed": True, "mode": 1, "celsius": -7, "errors": 2, "cards": 17,
        },
        "event_commit": {"number": 41},
        "bye": {"reason": 7, "text": "slept 4 s"},
    },
    1: {"events_lost": {"first": 12, "last": 15}},
    2: {"result": {"key": 9, "status": 5, "text": "at most 64 ahead"}},
    3: {
        "block": {"offset": 192, "data": bytes(range(192))},
        "block_wanted": {"offset": BIG32},
        "log": {"uptime_us": 1, "level": 2, "text": "x" * 160},
    },
    4: {"sample": {"what": 3, "value": -(2**31)}},
}  # fmt: skip

WORDS = (
    "hit", "stand", "double", "split", "surrender", "insurance", "even-money", "play", "quick-pay",
    "close", "pay",
)  # fmt: skip
PRESSED: list[Message] = [{"action": word, "seat": 2} for word in WORDS]
INSURED: Message = {"action": "insurance", "seat": 2, "cents": 1250}

EVENTS: dict[str, dict[str, list[Message]]] = {
    "all": {
        "booted": [{"reset": reset} for reset in range(1, 6)],
        "tamper": [{"what": what, "count": 3} for what in (1, 2, 3)],
        "fault": [{"code": 7, "on": True, "text": "motor current"}, {"code": 7, "on": False, "text": ""}],
        "door": [{"which": 1, "open": True}, {"which": 1, "open": False}],
    },
    "shoe": {
        "card_drawn": [{"count": 17, "card": rank + "shdc"[n % 4]} for n, rank in enumerate("A23456789TJQK")],
        "card_unreadable": [{"count": 18}],
        "card_unpermitted": [{"count": 19, "card": "2c"}],
        "card_interrupted": [{"count": 20}],
        "cut_card": [{"count": 300}],
        "cover": [{"open": True}, {"open": False}],
        "loaded": [{"decks": 8}],
        "empty": [{}],
        "shoe_jam": [{"on": True}, {"on": False}],
    },
    "shuffler": {
        "shuffler_state": [{"state": state, "percent": 25 * (state - 1)} for state in range(1, 6)],
        "deck_check": [{"decks": 8, "counts": bytes([8] * 51 + [7]), "unreadable": 1}],
        "shuffler_jam": [{"on": True}, {"on": False}],
    },
    "sensors": {
        "wager": [
            {"seat": 3, "spot": 0, "present": True, "cents": 2500},
            {"seat": 3, "spot": 1, "present": True, "cents": 0},
            {"seat": 3, "spot": 0, "present": False, "cents": 0},
        ],
        "sensor_fault": [{"seat": 9, "spot": 5, "on": True}, {"seat": 9, "spot": 5, "on": False}],
    },
    "console": {"key": [*PRESSED, {"action": "pay"}, INSURED]},
}
CRITICAL_EVENTS = {
    "card_drawn", "card_unreadable", "card_unpermitted", "card_interrupted", "cut_card", "tamper",
}  # fmt: skip

COMMANDS: dict[str, dict[str, list[Message]]] = {
    "all": {
        "resume": [{"next": 43}],
        "arm": [{"seen": 42}, {"seen": 0}],
        "disarm": [{}],
        "recall": [{"old_key": 5}],
        "update_begin": [
            {"version": 3, "size": 65_536, "sha256": bytes(range(32)), "signature": bytes(range(64))}
        ],
        "update_apply": [{}],
        "update_confirm": [{}],
    },
    "shoe": {"permit": [{"up_to": 18}, {"up_to": 0}], "lock": [{}]},
    "shuffler": {"start": [{"decks": 8}], "eject": [{}], "stop": [{}]},
    "sensors": {"lamps": [{"ttl_ms": 10_000, "lamps": bytes(n % 7 for n in range(54))}]},
    "display": {
        "level": [{"id": 1, "cents": 1_234_500, "state": state} for state in range(4)],
        "celebrate": [{"id": 1, "cents": 1_234_500, "seconds": 30}],
        "text": [{"line": 2, "text": "Blazing 7s \u2013 good luck"}, {"line": 1, "text": "y" * 64}],
    },
    "console": {
        "prompt": [{"text": "Seat 2 has 7: hit or stand", "seat": 2}, {"text": "", "seat": 0}],
        "key_lamps": [{"mask": 0b11_0000_0011}, {"mask": BIG}],
        "buzz": [{"ms": 120}],
    },
}


def messages() -> Iterator[Vector]:
    """Each message of the list, alone in its payload."""
    for channel, named in FRAMES.items():
        for name, body in named.items():
            yield readable(name, channel, "all", {name: body}, critical=False)
    for device, events in EVENTS.items():
        for name, bodies in events.items():
            for body in bodies:
                header: Message = {"number": 42, "uptime_us": 1_500_000, "boot": BOOT, name: body}
                yield readable(name, 1, device, {"event": header}, critical=name in CRITICAL_EVENTS)
    for device, commands in COMMANDS.items():
        for name, bodies in commands.items():
            for body in bodies:
                yield readable(name, 2, device, {"command": {"key": 300, name: body}}, critical=True)


def readable(name: str, channel: int, device: str, message: Message, *, critical: bool) -> Vector:
    """One message; a sender must make exactly these bytes of it."""
    return {
        "name": name,
        "kind": "message",
        "shows": f"{name}, class {device}.",
        "channel": channel,
        "critical": critical,
        "payload": payload(message).hex(),
        "message": shown(message),
    }


def numbered(vectors: Iterator[Vector]) -> Iterator[Vector]:
    """The vectors with a number behind each name that comes again."""
    seen: dict[object, int] = {}
    for vector in vectors:
        name = vector["name"]
        seen[name] = seen.get(name, 0) + 1
        yield vector if seen[name] == 1 else vector | {"name": f"{name}-{seen[name]}"}


def strange() -> Iterator[Vector]:
    """Payloads with unknown parts, and payloads that are no message."""
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
    """Each kind of field that has a greatest size, one byte over it."""
    for name, message in OVERSIZE.items():
        yield odd(
            f"oversize-{name}", "A field one byte over its greatest size.", payload(message), "unreadable"
        )
    accents: Message = {"command": {"key": 1, "text": {"line": 1, "text": "é" * 33}}}
    yield odd(
        "oversize-utf8",
        "33 letters of two bytes are 66 bytes: sizes count bytes.",
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
        yield odd(f"cut-{length}", "A message cut short.", whole[:length], "unreadable")
    yield odd("wire-type-7", "A wire type that does not exist.", b"\x0f\x01", "unreadable")
    yield odd("varint-endless", "A varint of eleven bytes.", b"\xff" * 10 + b"\x01", "unreadable")
    bad = nested(24, varint(8) + varint(1) + nested(52, varint(8) + varint(1) + nested(2, b"\xff\xfe")))
    yield odd("text-not-utf8", "Text that is not UTF-8.", bad, "unreadable")


def odd(name: str, shows: str, data: bytes, becomes: Value) -> Vector:
    """One payload, and the message or the word it becomes."""
    out = {"message": shown(becomes)} if isinstance(becomes, dict) else {"message": None, "is": becomes}
    return {"name": name, "kind": "payload", "shows": shows, "payload": data.hex(), **out}
