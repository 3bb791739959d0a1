"""Vectors of section 6.1: the transcript of two Hellos and the proofs over it."""

import hashlib
import hmac
from collections.abc import Iterator

from generator.framing import Vector
from generator.messages import Message, payload, schema
from generator.wire import Frame

NO_KEY = bytes(32)
HOST_NONCE = bytes(range(0xA0, 0xB0))
DEVICE_NONCE = bytes(range(0xB0, 0xC0))
SECOND_NONCE = bytes(range(0xC0, 0xD0))
"""The nonce of the second attempt."""
LOG = bytes.fromhex("1011121314151617")
OTHER_LOG = bytes.fromhex("2021222324252627")
BOOT = bytes.fromhex("0102030405060708")
SERIAL = "SHOE-0001"
SIMULATOR = "sim"
HARDWARE = "A1"
"""What a Hello says of hardware: clear sessions are for simulators only."""


def host_hello(**changes: object) -> bytes:
    """The payload of step 1."""
    return changed_hello(changes, {"side": 1, "major": 1, "schema": schema(), "seal": 1, "nonce": HOST_NONCE})


def device_hello(**changes: object) -> bytes:
    """The payload of step 2: a simulated shoe that just booted for the first time."""
    body: Message = {
        "side": 2,
        "major": 1,
        "schema": schema(),
        "seal": 1,
        "nonce": DEVICE_NONCE,
        "echo": HOST_NONCE,
        "boot": BOOT,
        "id": SERIAL,
        "device_class": 1,
        "hardware": SIMULATOR,
        "firmware": "1.0.0",
        "reset": 1,
        "log": LOG,
        "oldest": 1,
        "newest": 1,
    }
    return changed_hello(changes, body)


def changed_hello(changes: dict[str, object], body: Message) -> bytes:
    """A Hello with some fields changed."""
    for name, value in changes.items():
        if not isinstance(value, int | str | bytes):
            raise ValueError(f"{name}: {value!r} is no field of a Hello")
        body[name] = value
    return payload({"hello": body})


def transcript(host: bytes, device: bytes) -> bytes:
    """T."""
    lengths = [len(hello).to_bytes(2, "little") for hello in (host, device)]
    return hashlib.sha256(b"TSL/1" + lengths[0] + host + lengths[1] + device).digest()


def mac(side: int, whole: bytes, key: bytes = NO_KEY) -> bytes:
    """What side 1 (host) or 2 (device) proves with."""
    text = {1: b"TSL/1 host proof", 2: b"TSL/1 device proof"}[side]
    return hmac.digest(key, text + whole, "sha256")


def proof(side: int, whole: bytes, key: bytes = NO_KEY) -> bytes:
    """The payload of step 3 or 4."""
    return payload({"proof": {"side": side, "transcript": whole[:8], "mac": mac(side, whole, key)}})


def clear(data: bytes) -> Frame:
    """A handshake frame."""
    return Frame(0, data)


def proofs() -> Iterator[Vector]:
    """Transcripts and macs, with the key of `seal = none` and with others."""
    keys = {"none": NO_KEY, "counting": bytes(range(32)), "ones": b"\xff" * 32}
    for name, key in keys.items():
        yield proved(f"proof-key-{name}", host_hello(), device_hello(), key)
    yield proved("proof-other-nonce", host_hello(nonce=bytes(16)), device_hello(echo=bytes(16)), NO_KEY)
    full = device_hello(id="X" * 24, hardware="H" * 12, firmware="F" * 12, newest=2**53 - 1, cards=2**53 - 1)
    yield proved("proof-long-hello", host_hello(), full, NO_KEY)


def proved(name: str, host: bytes, device: bytes, key: bytes) -> Vector:
    """One pair of Hellos."""
    whole = transcript(host, device)
    return {
        "name": name,
        "kind": "proof",
        "shows": f"T, the macs and the payloads of steps 3 and 4: {name.replace('-', ' ')}.",
        "key": key.hex(),
        "host_hello": host.hex(),
        "device_hello": device.hex(),
        "transcript": whole.hex(),
        "host_mac": mac(1, whole, key).hex(),
        "device_mac": mac(2, whole, key).hex(),
        "host_proof": proof(1, whole, key).hex(),
        "device_proof": proof(2, whole, key).hex(),
    }
