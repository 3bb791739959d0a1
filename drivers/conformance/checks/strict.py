"""Payloads that libraries read differently, and the one rule that decides. Section 5.1.

Each payload is a command to which a device that reads it answers, so silence shows that it did not.
"""

from collections.abc import Callable

from drivers.conformance.check import TRIES, Check
from drivers.conformance.checks.messages import ignored
from drivers.conformance.probe import Probe
from drivers.link.strict import BYTES, VARINT
from drivers.protocol.codes import Flag

COMMAND, KEY = 24, 1
"""Fields of Frame and Command."""
RECALL, UPDATE_BEGIN, DISARM = 13, 14, 12
"""Fields of Command."""
BYE, TEXT = 7, 2
"""Fields of Frame and Bye."""
UNKNOWN = 1012
"""A field of a later version."""
HASH = bytes(32)
SIGNATURE = bytes(64)
Build = Callable[[int], bytes]
"""Makes the payload with this key."""


def varint(value: int, size: int = 0) -> bytes:
    """A varint, padded to `size` bytes."""
    out = bytearray()
    while value > 0x7F or len(out) + 1 < size:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def number(field: int, value: int) -> bytes:
    """A field with a number."""
    return varint(field << 3 | VARINT) + varint(value)


def nested(field: int, contents: bytes) -> bytes:
    """A field with bytes."""
    return varint(field << 3 | BYTES) + varint(len(contents)) + contents


def _command(key: int, tail: bytes) -> bytes:
    return nested(COMMAND, number(KEY, key) + tail)


def _begin(digest: bytes, version: int = 1) -> bytes:
    """The body of an UpdateBegin. Read, it gets a Result in any case."""
    return nested(UPDATE_BEGIN, number(1, version) + number(2, 1) + nested(3, digest) + nested(4, SIGNATURE))


OFF = nested(DISARM, b"")
UNREADABLE: dict[str, tuple[int, str, Build]] = {
    "varint-endless": (
        1,
        "a number of 11 bytes",
        lambda key: _command(key, b"\x78" + b"\xff" * 10 + b"\1" + OFF),
    ),
    "tag-33-bits": (1, "a tag of 33 bits", lambda key: _command(key, OFF) + varint(1 << 32) + b"\1"),
    "field-0": (1, "field number 0", lambda key: _command(key, OFF + b"\0\1")),
    "wire-type-known": (
        2,
        "a key as 8 bytes",
        lambda key: nested(COMMAND, b"\x09" + key.to_bytes(8, "little") + OFF),
    ),
    "wire-type-group-unknown": (2, "an unknown group", lambda key: _command(key, OFF + b"\x9b\x06\x9c\x06")),
    "twice-known": (3, "a key twice", lambda key: _command(key, number(KEY, key) + OFF)),
    "twice-nested": (
        3,
        "a field twice, two levels deep",
        lambda key: _command(key, nested(RECALL, number(1, key) * 2)),
    ),
    "two-bodies": (
        3,
        "two bodies of a command",
        lambda key: _command(key, nested(RECALL, number(1, key)) + OFF),
    ),
    "two-members-good-good": (
        3,
        "two members of a Frame, both good",
        lambda key: nested(BYE, b"") + _command(key, OFF),
    ),
    "two-members-bad-good": (
        5,
        "two members of a Frame, the first one unreadable",
        lambda key: nested(BYE, nested(TEXT, b"x" * 81)) + _command(key, OFF),
    ),
    "u32-2^32": (4, "a u of 2^32", lambda key: _command(key, _begin(HASH, 2**32))),
    "u64-2^53": (4, "a U of 2^53", lambda key: _command(key, nested(RECALL, number(1, 2**53)))),
    "fixed-short": (5, "a hash of 31 bytes", lambda key: _command(key, _begin(HASH[1:]))),
    "fixed-empty": (5, "a hash of no bytes that is present", lambda key: _command(key, _begin(b""))),
}
"""By the name of the vector in strange.jsonl that shows the same: the rule it breaks, words, the payload."""
READABLE: dict[str, tuple[str, Build]] = {
    "varint-padded": (
        "a padded number",
        lambda key: nested(COMMAND, varint(KEY << 3) + varint(key, 10) + OFF),
    ),
    "tag-padded": (
        "a padded tag and length",
        lambda key: (
            varint(COMMAND << 3 | BYTES, 10)
            + varint(len(number(KEY, key) + OFF), 10)
            + number(KEY, key)
            + OFF
        ),
    ),
    "unknown-twice": (
        "an unknown field twice",
        lambda key: _command(key, number(UNKNOWN, 7) * 2 + OFF) + number(UNKNOWN, 7) * 2,
    ),
    "order": ("a body before its key", lambda key: nested(COMMAND, OFF + number(KEY, key))),
}
"""By name: words, and the payload of a Disarm."""


async def _strict(p: Probe) -> None:
    await p.open()
    for rule, words, build in UNREADABLE.values():
        await ignored(p, build(p.key()), f"a command that breaks rule {rule}: {words}", flags=Flag.CRITICAL)
    for words, build in READABLE.values():
        key = p.key()
        p.launch(build(key), note=f"a command that breaks no rule: {words}")
        await p.result(key)
    await p.alive()


CHECKS = (
    Check(
        "messages.strict",
        "5.1",
        "What one of the five rules makes unreadable is not carried out, everything else is read.",
        "a scan of the payload by the five rules, before the protobuf library reads it",
        _strict,
        tries=TRIES,
    ),
)
