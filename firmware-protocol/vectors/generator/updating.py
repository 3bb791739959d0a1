"""Vectors of section 12: the signature of an update, and the image that it signs."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from generator.framing import Vector
from generator.messages import Message, payload
from generator.primitives import ORDER, public_key, sign
from generator.proving import SIMULATOR

SECRET = bytes(range(0x80, 0xA0))
OTHER_SECRET = bytes(range(0xA0, 0xC0))
ROOT_SECRET = bytes(range(0xC0, 0xE0))
"""The root key's: it signs later keys of the maker."""
IMAGE = b"".join(n.to_bytes(2, "little") for n in range(200))
"""400 bytes: two whole blocks and a short one."""
SHOE = 1
SHUFFLER = 2
GOOD = "good"
RANGE = "range"
UNREADABLE = "unreadable"
SIGNATURE = "signature"
CONTENT = "image"
COMMAND_KEY = 5


@dataclass(frozen=True, slots=True)
class Offer:
    """The content of UpdateBegin for a device of that class, and the bytes of its blocks."""

    size: int
    sha256: bytes
    image: bytes
    version: int = 7
    device_class: int = SHOE
    hardware: str = SIMULATOR
    signature: bytes = b""

    @property
    def signed(self) -> bytes:
        """The 65 bytes under the signature."""
        numbers = self.version.to_bytes(4, "little") + self.size.to_bytes(4, "little")
        return b"TSL/1 update" + named(self.device_class, self.hardware) + numbers + self.sha256

    def by(self, secret: bytes) -> "Offer":
        """The same, signed by `secret`."""
        return replace(self, signature=sign(secret, self.signed))


def named(device_class: int, hardware: str) -> bytes:
    """Class and hardware as they are signed."""
    return bytes([device_class]) + hardware.encode().ljust(12, b"\0")


def maker_key(
    generation: int, secret: bytes, root: bytes = ROOT_SECRET, hardware: str = SIMULATOR
) -> Message:
    """The content of a MakerKey for a shoe: the public key of a secret, signed by the root key."""
    return signed_key(generation, public_key(secret), root, hardware)


def signed_key(generation: int, key: bytes, root: bytes = ROOT_SECRET, hardware: str = SIMULATOR) -> Message:
    """The content of a MakerKey for a shoe with that key, which the root key signs whatever it is."""
    signed = b"TSL/1 maker" + named(SHOE, hardware) + generation.to_bytes(4, "little") + key
    return {"generation": generation, "key": key, "signature": sign(root, signed)}


def offer_of(image: bytes, version: int = 7, device_class: int = SHOE) -> Offer:
    """An image as it is offered, signed."""
    return Offer(len(image), hashlib.sha256(image).digest(), image, version, device_class).by(SECRET)


RIGHT = offer_of(IMAGE)


def updates() -> Iterator[Vector]:
    """Offers that a device may accept, and offers that it must refuse."""
    yield offered("good", "The right signature over class, version, size and hash.", GOOD, RIGHT)
    other = offer_of(IMAGE, 2**32 - 1, SHUFFLER)
    yield offered("good-last-version", "A shuffler, the greatest version there is.", GOOD, other)
    longest = replace(RIGHT, hardware="H" * 12).by(SECRET)
    yield offered("good-hardware", "A name of hardware that fills its 12 bytes.", GOOD, longest)
    yield offered("good-one-byte", "An image of one byte.", GOOD, offer_of(b"\xa5"))
    yield from changed()
    yield from signatures()
    yield from lengths()
    yield from mistakes()
    yield from images()


def changed() -> Iterator[Vector]:
    """A right signature over something else."""
    for name, shows, offer in (
        ("class", "Signed for a shoe, offered to a shuffler.", replace(RIGHT, device_class=SHUFFLER)),
        ("hardware", "Signed for other hardware.", replace(RIGHT, hardware="A2")),
        ("hardware-longer", "Signed for hardware with a longer name.", replace(RIGHT, hardware="sim2")),
        ("version", "Signed as version 7, offered as 8.", replace(RIGHT, version=8)),
        ("size", "Signed for 400 bytes, offered as 399.", replace(RIGHT, size=399)),
        ("hash", "One bit of the hash differs.", replace(RIGHT, sha256=flipped(RIGHT.sha256, 31))),
    ):
        yield offered(f"wrong-{name}", shows, SIGNATURE, offer)


def signatures() -> Iterator[Vector]:
    """Signatures that are not of the right key."""
    right = RIGHT.signature
    again = (int.from_bytes(right[32:], "little") + ORDER).to_bytes(32, "little")
    for name, shows, signature in (
        ("other-key", "Signed with another key.", RIGHT.by(OTHER_SECRET).signature),
        ("bit-first", "One bit of the first byte differs.", flipped(right, 0)),
        ("bit-last", "One bit of the last byte differs.", flipped(right, 63)),
        ("zeros", "Zeros, 64 of them.", bytes(64)),
        (
            "not-least",
            "Its second half is not below the group's order (RFC 8032, 5.1.7).",
            right[:32] + again,
        ),
    ):
        yield offered(f"signature-{name}", shows, SIGNATURE, replace(RIGHT, signature=signature))


def lengths() -> Iterator[Vector]:
    """Invalid numbers and sizes, which are found before the signature is checked."""
    right = RIGHT.signature
    short = replace(RIGHT, sha256=RIGHT.sha256[:31]).by(SECRET)
    for name, shows, verdict, offer in (
        (
            "signature-truncated",
            "Its last byte is missing.",
            UNREADABLE,
            replace(RIGHT, signature=right[:63]),
        ),
        ("signature-half", "The first 32 bytes.", UNREADABLE, replace(RIGHT, signature=right[:32])),
        ("signature-empty", "No signature at all.", RANGE, replace(RIGHT, signature=b"")),
        ("hash-truncated", "A hash of 31 bytes, signed.", UNREADABLE, short),
        ("hash-empty", "No hash, signed.", RANGE, replace(RIGHT, sha256=b"").by(SECRET)),
        ("size-0", "An image of no bytes, signed.", RANGE, offer_of(b"")),
    ):
        yield offered(name, shows, verdict, offer)


def mistakes() -> Iterator[Vector]:
    """Signatures by a tool with a typical mistake."""
    signed = RIGHT.signed
    swapped = signed[:25] + signed[25:29][::-1] + signed[29:33][::-1] + signed[33:]
    for name, shows, message in (
        ("no-text", "Without the text before the class.", signed[12:]),
        ("no-hardware", "Without the hardware.", signed[:13] + signed[25:]),
        ("unpadded", "Hardware without the zeros behind it.", signed[:16] + signed[25:]),
        ("big-endian", "Version and size with their bytes in the wrong order.", swapped),
        ("hash-alone", "Over the hash alone: any class and version would do.", RIGHT.sha256),
        ("image", "Over the image itself.", IMAGE),
        ("hashed", "Over the SHA-256 of what is to be signed.", hashlib.sha256(signed).digest()),
    ):
        yield offered(f"mistake-{name}", shows, SIGNATURE, replace(RIGHT, signature=sign(SECRET, message)))


def images() -> Iterator[Vector]:
    """A right signature, and blocks that do not hold what it signs."""
    for name, shows, image in (
        ("bit", "One bit of the last byte differs.", flipped(IMAGE, len(IMAGE) - 1)),
        ("short", "The last byte is missing.", IMAGE[:-1]),
        (
            "blocks-swapped",
            "The first two blocks changed places.",
            IMAGE[192:384] + IMAGE[:192] + IMAGE[384:],
        ),
    ):
        yield offered(
            f"image-{name}", f"{shows} The signature is right.", CONTENT, replace(RIGHT, image=image)
        )


def flipped(data: bytes, place: int) -> bytes:
    """One bit of that byte differs."""
    changed = bytearray(data)
    changed[place] ^= 1
    return bytes(changed)


def offered(name: str, shows: str, verdict: str, offer: Offer) -> Vector:
    """One offer and its verdict."""
    begin: Message = {
        "version": offer.version,
        "size": offer.size,
        "sha256": offer.sha256,
        "signature": offer.signature,
    }
    command = payload({"command": {"key": COMMAND_KEY, "update_begin": begin}})
    return {
        "name": f"update-{name}",
        "kind": "update",
        "shows": shows,
        "public_key": public_key(SECRET).hex(),
        "device_class": offer.device_class,
        "hardware": offer.hardware,
        "payload": command.hex(),
        "version": offer.version,
        "size": offer.size,
        "sha256": offer.sha256.hex(),
        "signature": offer.signature.hex(),
        "signed": offer.signed.hex(),
        "image": offer.image.hex(),
        "verdict": verdict,
    }
