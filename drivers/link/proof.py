"""What both sides of a handshake prove: that they saw the same two Hellos and know the same key."""

import hashlib
import hmac

from drivers.protocol.codes import Side

NO_KEY = bytes(32)
"""The key of `seal = none`."""
_SAYS = {Side.HOST: b"TSL/1 host proof", Side.DEVICE: b"TSL/1 device proof"}


def transcript(host_hello: bytes, device_hello: bytes) -> bytes:
    """T: 32 bytes over both Hello payloads as they were sent."""
    lengths = (len(payload).to_bytes(2, "little") for payload in (host_hello, device_hello))
    return hashlib.sha256(b"TSL/1" + next(lengths) + host_hello + next(lengths) + device_hello).digest()


def mac(side: Side, key: bytes, whole_transcript: bytes) -> bytes:
    """What `side` sends as its proof: 32 bytes."""
    return hmac.digest(key, _SAYS[side] + whole_transcript, "sha256")
