"""Vectors of sections 6.1 and 7: from two Hellos, two shares and K to the keys of a session."""

from collections.abc import Iterator

from generator.framing import Vector
from generator.messages import MESSAGES, nested, schema, varint, write
from generator.proving import HOST_NONCE, HOST_SECRET, OTHER_LOG, SECOND_NONCE, stated, transcript
from generator.sealing import (
    DEVICE_SECRET,
    KEY,
    OTHER_KEY,
    sealed_device_hello,
    sealed_host_hello,
    session,
)

HELLO = 1
UNKNOWN = 30


def agreements() -> Iterator[Vector]:
    """T, macs and keys of sealed sessions."""
    host, device = sealed_host_hello(), sealed_device_hello()
    yield agreed("plain", "A host and a new shoe.", host, device)
    yield agreed(
        "other-key", "The same Hellos under another K: T stays, all else differs.", host, device, OTHER_KEY
    )
    yield agreed("ones", "K of 32 bytes 0xff.", host, device, b"\xff" * 32)
    again = sealed_host_hello(nonce=SECOND_NONCE)
    yield agreed(
        "other-host-nonce", "Another nonce of the host.", again, sealed_device_hello(echo=SECOND_NONCE)
    )
    other = sealed_device_hello(nonce=SECOND_NONCE)
    yield agreed("other-device-nonce", "Another nonce of the device: all keys are new.", host, other)
    yield agreed("all-fields", "A device that fills every field of its Hello.", host, every_field())
    yield agreed("longest", "Every field at its greatest.", host, longest())
    later = sealed_host_hello(minor=1), sealed_device_hello(minor=2)
    yield agreed("minors", "Two minor versions: each Hello counts as it was sent.", *later)
    yield from other_secrets(host, device)
    yield from as_sent()


def other_secrets(host: bytes, device: bytes) -> Iterator[Vector]:
    """The same Hellos with other shares."""
    ones, zeros = b"\xff" * 32, bytes(32)
    yield agreed(
        "other-host-share", "Another share of the host: T stays.", host, device, KEY, (ones, DEVICE_SECRET)
    )
    yield agreed(
        "other-device-share", "Another share of the device: T stays.", host, device, KEY, (HOST_SECRET, ones)
    )
    yield agreed(
        "secrets-clamped", "Secrets of zeros and of ones are clamped.", host, device, KEY, (zeros, ones)
    )


def as_sent() -> Iterator[Vector]:
    """T is made of bytes, not of what they mean."""
    device = sealed_device_hello()
    body = write("hello", {"side": 1, "major": 1, "schema": schema(), "seal": 2, "nonce": HOST_NONCE})
    later = nested(HELLO, body + nested(UNKNOWN, b"later"))
    yield agreed("unknown-field", "A field of a later version is part of T.", later, device)
    nonce, rest = nested(MESSAGES["hello"]["nonce"].number, HOST_NONCE), body[:-18]
    yield agreed(
        "field-order",
        "The nonce comes first: bytes as sent, whatever their order.",
        nested(HELLO, nonce + rest),
        device,
    )
    zero = nested(HELLO, body + varint(MESSAGES["hello"]["reset"].number << 3) + b"\0")
    yield agreed("zero-sent", "A zero that was sent, though it need not be, is part of T.", zero, device)


def every_field() -> bytes:
    """A device's Hello without a default value in it."""
    return sealed_device_hello(
        minor=1,
        reset=4,
        log=OTHER_LOG,
        oldest=3,
        newest=1500,
        committed=1490,
        last_key=77,
        cards=416,
        test_slot=True,
    )


def longest() -> bytes:
    """A device's Hello as long as it can be."""
    most = dict.fromkeys(("oldest", "newest", "committed", "last_key", "cards"), 2**53 - 1)
    texts = {"id": "X" * 24, "hardware": "H" * 12, "firmware": "F" * 12}
    return sealed_device_hello(minor=2**32 - 1, test_slot=True, **texts, **most)


def agreed(
    name: str,
    shows: str,
    host: bytes,
    device: bytes,
    key: bytes = KEY,
    secrets: tuple[bytes, bytes] = (HOST_SECRET, DEVICE_SECRET),
) -> Vector:
    keys = session(transcript(host, device), key, *secrets).keys()
    made = stated(f"agreed-{name}", host, device, key, *secrets)
    return made | {"shows": f"{shows} T, shares, macs, proofs, keys."} | keys
