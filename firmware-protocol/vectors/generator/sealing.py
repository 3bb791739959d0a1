"""Section 7: the keys of a session, and frames sealed with them."""

import struct
from dataclasses import dataclass, replace

from generator.drawing import Drawn
from generator.primitives import encrypt
from generator.proving import (
    HARDWARE,
    HOST_SECRET,
    Agreed,
    agreed,
    device_hello,
    host_hello,
    transcript,
)
from generator.wire import SEALED, Frame

KEY = bytes(range(0x40, 0x60))
"""K of the device in these vectors."""
OTHER_KEY = bytes(range(0x60, 0x80))
SEALED_DRAWN = Drawn(KEY)
"""What the device has drawn in these vectors."""
DEVICE_SECRET = SEALED_DRAWN.secret()
"""The secret of its share in its first session."""
LOW = 4
OVERHEAD = 20
"""What sealing adds: four counter bytes and the tag."""


def seal(frame: Frame, key: bytes, counter: int) -> Frame:
    """The frame as it goes out: SEALED in its header, and n counts what sealing adds."""
    blank = replace(frame, flags=frame.flags | SEALED, payload=bytes(len(frame.payload) + OVERHEAD))
    low = counter.to_bytes(8, "little")[:LOW]
    return replace(blank, payload=low + encrypt(key, nonce(counter), frame.payload, blank.header))


def nonce(counter: int) -> bytes:
    """Twelve bytes."""
    return struct.pack("<4xQ", counter)


@dataclass(slots=True)
class Voice:
    """One direction of one session: each frame takes the next counter."""

    key: bytes
    counter: int = 0

    def say(self, frame: Frame) -> Frame:
        """The frame, sealed."""
        self.counter += 1
        return seal(frame, self.key, self.counter - 1)

    def all(self, *frames: Frame) -> tuple[Frame, ...]:
        """The frames, sealed in this order."""
        return tuple(self.say(frame) for frame in frames)

    def forged(self, frame: Frame) -> Frame:
        """The frame under the next counter with a bad tag. The counter is not used up."""
        return spoiled(seal(frame, self.key, self.counter))


@dataclass(frozen=True, slots=True)
class Session:
    """Both directions of one session."""

    host: Voice
    device: Voice

    def keys(self) -> dict[str, str]:
        """The keys as a vector states them."""
        return {"to_device": self.host.key.hex(), "to_host": self.device.key.hex()}


def session(
    whole: bytes, key: bytes = KEY, host_secret: bytes = HOST_SECRET, device_secret: bytes = DEVICE_SECRET
) -> Session:
    """What a handshake with that transcript and these shares installs."""
    return session_of(agreed(whole, key, host_secret, device_secret))


def session_of(agreement: Agreed) -> Session:
    """What both sides install."""
    keys = (agreement.expanded(f"TSL/1 {way}".encode()) for way in ("host to device", "device to host"))
    return Session(*map(Voice, keys))


def spoiled(frame: Frame, place: int = -1) -> Frame:
    """The frame with one bit of its payload changed; the last byte is the tag's."""
    payload = bytearray(frame.payload)
    payload[place] ^= 1
    return replace(frame, payload=bytes(payload))


def sealed_host_hello(**changes: object) -> bytes:
    """Step 1 of a host that has a key."""
    return host_hello(**{"seal": 2} | changes)


def sealed_device_hello(**changes: object) -> bytes:
    """Step 2 of a device that has a key."""
    drawn = {"nonce": SEALED_DRAWN.nonce(), "boot": SEALED_DRAWN.boot(), "log": SEALED_DRAWN.log()}
    return device_hello(**{"seal": 2, "hardware": HARDWARE} | drawn | changes)


def first_session() -> Session:
    """The session of the two Hellos above."""
    return session(transcript(sealed_host_hello(), sealed_device_hello()))
