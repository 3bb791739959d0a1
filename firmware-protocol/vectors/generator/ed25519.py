"""Ed25519 (RFC 8032), in plain Python: not in constant time, for test keys only."""

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
"""A square root of -1."""
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
    """Whether the signature is this key's over this message. Bytes that are no signature are not."""
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
    """The point that 32 bytes stand for; None if they stand for none."""
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
