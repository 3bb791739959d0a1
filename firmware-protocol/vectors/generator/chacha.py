"""ChaCha20-Poly1305 (RFC 8439), in plain Python: slow, and nothing but what the RFC says."""

import struct
from hmac import compare_digest

MASK = 0xFFFFFFFF
CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
BLOCK = 64
TAG = 16
PRIME = (1 << 130) - 5
CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF


def encrypt(key: bytes, nonce: bytes, message: bytes, associated: bytes) -> bytes:
    """Ciphertext and tag; key 32 bytes, nonce 12."""
    ciphertext = chacha20(key, nonce, 1, message)
    return ciphertext + tag(key, nonce, ciphertext, associated)


def decrypt(key: bytes, nonce: bytes, sealed: bytes, associated: bytes) -> bytes | None:
    """The message, or None when the tag differs."""
    ciphertext, found = sealed[:-TAG], sealed[-TAG:]
    if not compare_digest(found, tag(key, nonce, ciphertext, associated)):
        return None
    return chacha20(key, nonce, 1, ciphertext)


def chacha20(key: bytes, nonce: bytes, counter: int, message: bytes) -> bytes:
    """The stream cipher, both ways; `counter` is that of the first block."""
    blocks = range(counter, counter + (len(message) + BLOCK - 1) // BLOCK)
    stream = b"".join(block(key, nonce, number) for number in blocks)
    return bytes(one ^ other for one, other in zip(message, stream, strict=False))


def block(key: bytes, nonce: bytes, counter: int) -> bytes:
    """64 bytes of key stream."""
    start = [*CONSTANTS, *struct.unpack("<8I", key), counter, *struct.unpack("<3I", nonce)]
    state = list(start)
    for _ in range(10):
        for places in COLUMNS + DIAGONALS:
            quarter(state, *places)
    return struct.pack("<16I", *(mixed + first & MASK for mixed, first in zip(state, start, strict=True)))


def quarter(state: list[int], a: int, b: int, c: int, d: int) -> None:
    """One quarter round."""
    for target, source, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[target] = state[target] + state[source] & MASK
        mixed = state[turned] ^ state[target]
        state[turned] = (mixed << by | mixed >> 32 - by) & MASK


def tag(key: bytes, nonce: bytes, ciphertext: bytes, associated: bytes) -> bytes:
    """Poly1305 over associated data, ciphertext and their lengths, under the first block's key."""
    lengths = struct.pack("<QQ", len(associated), len(ciphertext))
    return poly1305(block(key, nonce, 0)[:32], padded(associated) + padded(ciphertext) + lengths)


def padded(part: bytes) -> bytes:
    """Zeros up to a whole 16 bytes."""
    return part + bytes(-len(part) % 16)


def poly1305(key: bytes, message: bytes) -> bytes:
    """The one-time authenticator; key 32 bytes."""
    factor = int.from_bytes(key[:16], "little") & CLAMP
    total = 0
    for place in range(0, len(message), 16):
        part = message[place : place + 16] + b"\1"
        total = (total + int.from_bytes(part, "little")) * factor % PRIME
    return (total + int.from_bytes(key[16:], "little")).to_bytes(17, "little")[:16]
