"""Vectors of section 13: fields of commands at the ends of their ranges, and beyond."""

from collections.abc import Iterator

from generator.device import Moment, arm, device, opening, order, recall
from generator.framing import Vector
from generator.messages import Message

DONE = 1
UNARMED = 3
RANGE = 5
SHUFFLER, SENSORS, DISPLAY, CONSOLE = 2, 3, 4, 5
MOST_CENTS = 2**53 - 1
Order = tuple[str, Message]

STATES: dict[str, tuple[int, tuple[Order, ...], tuple[Order, ...]]] = {
    "lamps": (
        SENSORS,
        (
            ("lamps", {"ttl_ms": 1, "lamps": bytes(54)}),
            ("lamps", {"ttl_ms": 10_000, "lamps": bytes([6] * 54)}),
        ),
        (
            ("lamps", {"ttl_ms": 0, "lamps": bytes(54)}),
            ("lamps", {"ttl_ms": 10_001, "lamps": bytes(54)}),
            ("lamps", {"ttl_ms": 1000, "lamps": bytes(53) + b"\x07"}),
        ),
    ),
    "levels": (
        DISPLAY,
        (
            ("level", {"id": 0, "cents": 0, "state": 0}),
            ("level", {"id": 31, "cents": MOST_CENTS, "state": 3}),
        ),
        (
            ("level", {"id": 32, "cents": 1, "state": 0}),
            ("level", {"id": 1, "cents": 1, "state": 4}),
        ),
    ),
    "texts": (
        DISPLAY,
        (("text", {"line": 0, "text": "a"}), ("text", {"line": 7, "text": ""})),
        (("text", {"line": 8, "text": "a"}),),
    ),
    "celebrations": (
        DISPLAY,
        (
            ("celebrate", {"id": 0, "cents": 0, "seconds": 1}),
            ("celebrate", {"id": 31, "cents": MOST_CENTS, "seconds": 60}),
        ),
        (
            ("celebrate", {"id": 32, "cents": 1, "seconds": 1}),
            ("celebrate", {"id": 1, "cents": 1, "seconds": 0}),
            ("celebrate", {"id": 1, "cents": 1, "seconds": 61}),
        ),
    ),
    "prompts": (
        CONSOLE,
        (("prompt", {"text": "Pay", "seat": 0}), ("prompt", {"text": "", "seat": 9})),
        (("prompt", {"text": "Pay", "seat": 10}),),
    ),
    "key-lamps": (
        CONSOLE,
        (("key_lamps", {"mask": 0}), ("key_lamps", {"mask": 2**11 - 1})),
        (("key_lamps", {"mask": 2**11}), ("key_lamps", {"mask": MOST_CENTS})),
    ),
    "buzzes": (
        CONSOLE,
        (("buzz", {"ms": 1}), ("buzz", {"ms": 5000})),
        (("buzz", {"ms": 0}), ("buzz", {"ms": 5001})),
    ),
}
"""By name: the class of the device, commands in range, and commands out of range."""


def ranges() -> Iterator[Vector]:
    """RANGE comes at once, armed or not, and nothing of the command is carried out."""
    for name, (device_class, good, bad) in STATES.items():
        yield _states(name, device_class, good, bad)
    yield from _starts()


def _states(name: str, device_class: int, good: tuple[Order, ...], bad: tuple[Order, ...]) -> Vector:
    unarmed = [order(place, place + 1, *each) for place, each in enumerate(bad)]
    count = len(bad)
    armed = [
        order(count + 1 + place, count + 2 + place, *each, acknowledged=count + 1)
        for place, each in enumerate((*bad, *good))
    ]
    ends = [RANGE] * count + [DONE] * len(good)
    return device(
        f"range-{name}",
        f"Fields of {name} out of their ranges are answered RANGE at once, armed or not.",
        *opening(device_class=device_class),
        Moment(0.02).gets(*unarmed).results(*((place + 1, RANGE) for place in range(count))).reports(),
        Moment(0.04).gets(arm(count, count + 1)).results((count + 1, DONE)).reports({"armed": {}}),
        Moment(0.06)
        .gets(*armed)
        .results(*((count + 2 + place, status) for place, status in enumerate(ends)))
        .reports(*({"command": {which: _shown(body)}} for which, body in good)),
        Moment(0.08),
        device_class=device_class,
    )


def _starts() -> Iterator[Vector]:
    yield device(
        "range-start",
        "RANGE for a field of an action is its result, and is kept; Arm is asked for first.",
        *opening(device_class=SHUFFLER),
        Moment(0.02).gets(order(0, 1, "start", {"decks": 11})).results((1, UNARMED)).reports(),
        Moment(0.04).gets(arm(1, 2)).results((2, DONE)).reports({"armed": {}}),
        Moment(0.06)
        .gets(order(2, 3, "start", {"decks": 0}), order(3, 4, "start", {"decks": 11}))
        .results((3, RANGE), (4, RANGE))
        .reports(),
        Moment(0.08)
        .gets(order(4, 5, "start", {"decks": 10}), recall(5, 6, 4))
        .results((5, DONE), (6, RANGE))
        .reports({"command": {"start": {"decks": 10}}}),
        Moment(0.1),
        device_class=SHUFFLER,
    )


def _shown(body: Message) -> dict[str, object]:
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in body.items()}
