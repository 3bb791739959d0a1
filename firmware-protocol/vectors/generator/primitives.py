"""The primitives in plain Python: ChaCha20-Poly1305 (RFC 8439), HKDF with SHA-256 (RFC 5869), Ed25519
(RFC 8032) and X25519 (RFC 7748).

They are slow and not in constant time, for test keys only.
"""

import hashlib
import hmac
import struct

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
    """The message, or None if the tag differs."""
    ciphertext, found = sealed[:-TAG], sealed[-TAG:]
    if not hmac.compare_digest(found, tag(key, nonce, ciphertext, associated)):
        return None
    return chacha20(key, nonce, 1, ciphertext)


def chacha20(key: bytes, nonce: bytes, counter: int, message: bytes) -> bytes:
    """The stream cipher, both ways. `counter` is that of the first block."""
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


HASH = 32


def hkdf(material: bytes, salt: bytes, info: bytes, length: int = HASH) -> bytes:
    """`length` bytes. An empty salt counts as 32 zero bytes."""
    extracted = hmac.digest(salt or bytes(HASH), material, "sha256")
    out = last = b""
    for number in range(1, (length + HASH - 1) // HASH + 1):
        last = hmac.digest(extracted, last + info + bytes([number]), "sha256")
        out += last
    return out[:length]


P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
"""A square root of -1."""
LADDER_FACTOR = 121665
BASE_U = (9).to_bytes(32, "little")


def x25519(secret: bytes, point: bytes = BASE_U) -> bytes:
    """The secret times the point, 32 bytes each. Without a point it is the share of the secret."""
    scalar = int.from_bytes(secret, "little") & (1 << 255) - 8 & ~(1 << 255) | 1 << 254
    u = int.from_bytes(point, "little") & (1 << 255) - 1
    x2, z2, x3, z3 = 1, 0, u % P, 1
    for place in reversed(range(255)):
        if scalar >> place & 1:
            (x3, z3), (x2, z2) = step((x3, z3), (x2, z2), u)
        else:
            (x2, z2), (x3, z3) = step((x2, z2), (x3, z3), u)
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


Fraction = tuple[int, int]


def step(low: Fraction, high: Fraction, u: int) -> tuple[Fraction, Fraction]:
    """Twice the low point, and the sum of both, whose difference is `u`."""
    plus_low, minus_low = (low[0] + low[1]) % P, (low[0] - low[1]) % P
    plus_high, minus_high = (high[0] + high[1]) % P, (high[0] - high[1]) % P
    one, other = minus_high * plus_low % P, plus_high * minus_low % P
    square, least = plus_low * plus_low % P, minus_low * minus_low % P
    difference = (square - least) % P
    double = square * least % P, difference * (square + LADDER_FACTOR * difference) % P
    return double, (pow(one + other, 2, P), u * pow(one - other, 2, P) % P)


Point = tuple[int, int, int, int]
"""X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z."""
NEUTRAL: Point = (0, 1, 1, 0)


def public_key(secret: bytes) -> bytes:
    """32 bytes that verify what these 32 sign."""
    return pack(times(expanded(secret)[0], BASE))


def sign(secret: bytes, message: bytes) -> bytes:
    """64 bytes."""
    scalar, prefix = expanded(secret)
    nonce = number(prefix, message)
    commitment = pack(times(nonce, BASE))
    challenge = number(commitment, public_key(secret), message)
    return commitment + ((nonce + challenge * scalar) % ORDER).to_bytes(32, "little")


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is this key's over this message. False for bytes that are not a signature."""
    key, commitment = unpack(public), unpack(signature[:32])
    answer = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or len(signature) != 64 or answer >= ORDER:
        return False
    challenge = number(signature[:32], public, message)
    return pack(times(answer, BASE)) == pack(plus(commitment, times(challenge, key)))


def expanded(secret: bytes) -> tuple[int, bytes]:
    """The secret scalar, and the prefix of nonces."""
    wide = hashlib.sha512(secret).digest()
    scalar = int.from_bytes(wide[:32], "little")
    return scalar & (1 << 254) - 8 | 1 << 254, wide[32:]


def number(*parts: bytes) -> int:
    """SHA-512 as a number below the group's order."""
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def plus(one: Point, other: Point) -> Point:
    """The sum of two points."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(factor: int, point: Point) -> Point:
    """The point added up `factor` times."""
    total = NEUTRAL
    while factor:
        if factor & 1:
            total = plus(total, point)
        point = plus(point, point)
        factor >>= 1
    return total


def pack(point: Point) -> bytes:
    """A point as 32 bytes: y, and the lowest bit of x on top."""
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def unpack(data: bytes) -> Point | None:
    """The point that 32 bytes encode; None if they encode none."""
    whole = int.from_bytes(data, "little")
    y, odd = whole & (1 << 255) - 1, whole >> 255
    x = root((y * y - 1) * pow(D * y * y + 1, -1, P) % P) if y < P and len(data) == 32 else None
    if x is None or (odd and not x):
        return None
    x = P - x if x & 1 != odd else x
    return x, y, 1, x * y % P


def root(square: int) -> int | None:
    """A square root modulo P, if there is one."""
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    return None if (x * x - square) % P else x


def base() -> Point:
    """The generator: y = 4/5 and an even x."""
    found = unpack((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    if found is None:
        raise ValueError("4/5 is the y of a point")
    return found


BASE = base()
