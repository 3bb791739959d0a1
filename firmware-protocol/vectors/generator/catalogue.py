"""Vectors of section 14: every message of every class."""

from collections.abc import Iterator

from generator.framing import Vector
from generator.messages import Message, Value, as_json, fields_of, payload, schema

BOOT = bytes(range(1, 9))
BIG = 2**53 - 1
BIG32 = 2**32 - 1

FRAMES: dict[int, Message] = {
    0: {
        "hello": {
            "side": 2,
            "major": 1,
            "minor": 0,
            "schema": schema(),
            "seal": 1,
            "nonce": bytes(range(0xB0, 0xC0)),
            "echo": bytes(range(0xA0, 0xB0)),
            "boot": BOOT,
            "id": "SHOE-0001-ABCDEFGHIJKLMN",
            "device_class": 1,
            "hardware": "rev-C-000012",
            "firmware": "1.22.333-rc4",
            "reset": 4,
            "log": b"\xf0\1\2\3\4\5\6\7",
            "oldest": BIG,
            "newest": BIG,
            "committed": BIG,
            "last_key": BIG,
            "cards": BIG,
            "test_slot": True,
        },
        "proof": {
            "side": 1,
            "transcript": bytes(range(8)),
            "mac": bytes(range(32)),
            "share": bytes(range(32, 64)),
        },
        "refuse": {"echo": bytes(range(0xA0, 0xB0)), "reason": 3, "text": "SHOE-0009 is not SHOE-0001"},
        "no_session": {},
        "heartbeat": {
            "now_us": 3_000_000,
            "echo_us": 2_999_000,
            "held_us": 400,
            "committed": 41,
            "newest": 42,
            "free": 1023,
            "armed": True,
            "mode": 1,
            "celsius": -7,
            "errors": 2,
            "cards": 17,
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
}

WORDS = (
    "hit",
    "stand",
    "double",
    "split",
    "surrender",
    "insurance",
    "even-money",
    "play",
    "quick-pay",
    "close",
    "pay",
)
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
    "card_drawn",
    "card_unreadable",
    "card_unpermitted",
    "card_interrupted",
    "cut_card",
    "tamper",
}

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
        "maker_key": [{"generation": 2, "key": bytes(range(32)), "signature": bytes(range(64))}],
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
        "shows": f"{camel(name)} {WHOSE[device]}{fields_shown(message, name)}.",
        "channel": channel,
        "critical": critical,
        "payload": payload(message).hex(),
        "message": as_json(message),
    }


WHOSE = {
    "all": "of any device",
    "shoe": "of a shoe",
    "shuffler": "of a shuffler",
    "sensors": "of bet sensors",
    "display": "of a display",
    "console": "of a console",
}


def camel(name: str) -> str:
    """card_drawn as the list spells it: CardDrawn."""
    return "".join(word.capitalize() for word in name.split("_"))


def fields_shown(message: Message, name: str) -> str:
    """ " with count 17, card As"; empty for a message without fields."""
    ((holder, body),) = message.items()
    inner = body if holder == name else fields_of(body)[name]
    parts = [f"{field} {brief(value)}" for field, value in fields_of(inner).items()]
    return " with " + ", ".join(parts) if parts else ""


def brief(value: Value) -> str:
    """A field's value in a word or two."""
    if isinstance(value, bytes):
        return f"of {len(value)} bytes"
    return f"of {len(value)} letters" if isinstance(value, str) and len(value) > 40 else repr(value)


def numbered(vectors: Iterator[Vector]) -> Iterator[Vector]:
    """The vectors, with a number after each name that occurs again."""
    seen: dict[object, int] = {}
    for vector in vectors:
        name = vector["name"]
        seen[name] = seen.get(name, 0) + 1
        yield vector if seen[name] == 1 else vector | {"name": f"{name}-{seen[name]}"}
