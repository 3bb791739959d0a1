"""Vectors of section 6.1: the transcript of two Hellos, the shares, and the proofs over them."""

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass

from generator.drawing import NO_KEY, Drawn, subkey
from generator.framing import Vector
from generator.messages import Message, payload, schema
from generator.primitives import x25519
from generator.wire import Frame

CLEAR = Drawn()
"""What a device without a key has drawn."""
HOST_NONCE = bytes(range(0xA0, 0xB0))
DEVICE_NONCE = CLEAR.nonce()
SECOND_NONCE = bytes(range(0xC0, 0xD0))
"""The nonce of the second attempt."""
HOST_SECRET = bytes(range(0x20, 0x40))
"""The secret of the host's share."""
LOG = CLEAR.log()
OTHER_LOG = bytes.fromhex("2021222324252627")
BOOT = CLEAR.boot()
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


def host_mac(whole: bytes, key: bytes, share: bytes) -> bytes:
    """What the host proves with."""
    return hmac.digest(subkey(key, b"TSL/1 proof"), b"TSL/1 host proof" + whole + share, "sha256")


@dataclass(frozen=True, slots=True)
class Agreed:
    """What both sides know after the shares, which are empty where nothing is sealed. `shared`: what X25519
    makes of them."""

    whole: bytes
    key: bytes = NO_KEY
    host_share: bytes = b""
    device_share: bytes = b""
    shared: bytes = b""

    @property
    def second(self) -> bytes:
        """T2."""
        return hashlib.sha256(b"TSL/1 shares" + self.whole + self.host_share + self.device_share).digest()

    def expanded(self, label: bytes) -> bytes:
        """A key that follows from everything."""
        extracted = hmac.digest(self.second, subkey(self.key, b"TSL/1 mix") + self.shared, "sha256")
        return hmac.digest(extracted, label + b"\1", "sha256")

    @property
    def device_mac(self) -> bytes:
        """What the device proves with."""
        return hmac.digest(self.expanded(b"TSL/1 confirm"), b"TSL/1 device proof" + self.second, "sha256")

    @property
    def host_proof(self) -> bytes:
        """The payload of step 3."""
        return proved(1, self.whole, host_mac(self.whole, self.key, self.host_share), self.host_share)

    @property
    def device_proof(self) -> bytes:
        """The payload of step 4."""
        return proved(2, self.whole, self.device_mac, self.device_share)


def agreed(whole: bytes, key: bytes, host_secret: bytes, device_secret: bytes) -> Agreed:
    """A sealed session of these secrets."""
    shares = x25519(host_secret), x25519(device_secret)
    return Agreed(whole, key, *shares, x25519(host_secret, shares[1]))


def proved(side: int, whole: bytes, mac: bytes, share: bytes = b"") -> bytes:
    """The payload of a Proof."""
    return payload({"proof": {"side": side, "transcript": whole[:8], "mac": mac, "share": share}})


def proof(side: int, whole: bytes, key: bytes = NO_KEY) -> bytes:
    """The payload of step 3 or 4 where nothing is sealed."""
    agreement = Agreed(whole, key)
    return agreement.host_proof if side == 1 else agreement.device_proof


def clear(data: bytes) -> Frame:
    """A handshake frame."""
    return Frame(0, data)


def proofs() -> Iterator[Vector]:
    """Transcripts and macs without shares, with the key of `seal = none` and with others."""
    keys = {"none": NO_KEY, "counting": bytes(range(32)), "ones": b"\xff" * 32}
    for name, key in keys.items():
        yield stated(f"proof-key-{name}", host_hello(), device_hello(), key)
    yield stated("proof-other-nonce", host_hello(nonce=bytes(16)), device_hello(echo=bytes(16)), NO_KEY)
    full = device_hello(id="X" * 24, hardware="H" * 12, firmware="F" * 12, newest=2**53 - 1, cards=2**53 - 1)
    yield stated("proof-long-hello", host_hello(), full, NO_KEY)


def stated(name: str, host: bytes, device: bytes, key: bytes, *secrets: bytes) -> Vector:
    """One pair of Hellos, and the secrets of both shares if the session is sealed."""
    whole = transcript(host, device)
    agreement = agreed(whole, key, *secrets) if secrets else Agreed(whole, key)
    made: Vector = {
        "name": name,
        "kind": "proof",
        "shows": f"T, the macs and the payloads of steps 3 and 4: {name.replace('-', ' ')}.",
        "key": key.hex(),
        "host_hello": host.hex(),
        "device_hello": device.hex(),
        "transcript": whole.hex(),
        "host_mac": host_mac(whole, key, agreement.host_share).hex(),
        "device_mac": agreement.device_mac.hex(),
        "host_proof": agreement.host_proof.hex(),
        "device_proof": agreement.device_proof.hex(),
    }
    if secrets:
        made |= {"host_secret": secrets[0].hex(), "device_secret": secrets[1].hex()}
        made |= {"host_share": agreement.host_share.hex(), "device_share": agreement.device_share.hex()}
        made |= {"shared_secret": agreement.shared.hex(), "shares_transcript": agreement.second.hex()}
    return made
