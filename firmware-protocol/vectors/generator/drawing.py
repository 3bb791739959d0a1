"""Section 7.1: what a device draws from its provisioning record, and vectors of it."""

import hmac
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from generator.framing import Vector

SEED = bytes(range(0xE0, 0x100))
"""The seed of a device that was never switched on, in these vectors."""
NO_KEY = bytes(32)


def subkey(key: bytes, label: bytes) -> bytes:
    """What K is used for: one key for each purpose."""
    return hmac.digest(key, label + b"\1", "sha256")


@dataclass(slots=True)
class Source:
    """A device's random values from one boot to the next. `bits` are its hardware's; zeros: it has none."""

    key: bytes = NO_KEY
    boots: int = 0
    seed: bytes = SEED
    bits: Callable[[int], bytes] = bytes
    state: bytes = b""
    nonces: int = 0

    def start(self) -> None:
        """A boot."""
        self.state = hmac.digest(self.seed, b"TSL/1 start" + self.bits(32), "sha256")
        self.seed = hmac.digest(self.seed, b"TSL/1 seed" + self.bits(32), "sha256")
        self.boots += 1
        self.nonces = 0

    def log(self) -> bytes:
        """Eight bytes for a new log."""
        return self._derived(b"TSL/1 log")[:8]

    def boot(self) -> bytes:
        """Eight bytes for this boot."""
        return self._derived(b"TSL/1 boot")[:8]

    def nonce(self) -> bytes:
        """The next nonce."""
        made = self._derived(b"TSL/1 nonce", self.nonces.to_bytes(4, "little"))[:16]
        self.nonces += 1
        return made

    def secret(self) -> bytes:
        """The secret of the next share."""
        made = hmac.digest(self.state, b"TSL/1 share" + self.bits(32), "sha256")
        self.state = hmac.digest(self.state, b"TSL/1 next", "sha256")
        return made

    def _derived(self, label: bytes, count: bytes = b"") -> bytes:
        content = label + self.boots.to_bytes(8, "little") + count + self.bits(16)
        return hmac.digest(subkey(self.key, b"TSL/1 draw"), content, "sha256")


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a device with this key and SEED, without random bits, has drawn in its first boots."""

    key: bytes = NO_KEY

    def log(self, boots: int = 1) -> bytes:
        """The id of a log that began at that boot."""
        return self._booted(boots).log()

    def boot(self, boots: int = 1) -> bytes:
        """The id of that boot."""
        return self._booted(boots).boot()

    def nonce(self, number: int = 0, boots: int = 1) -> bytes:
        """That nonce of that boot, from 0 on."""
        source = self._booted(boots)
        return [source.nonce() for _ in range(number + 1)][-1]

    def secret(self, number: int = 0, boots: int = 1) -> bytes:
        """That secret of that boot, from 0 on."""
        source = self._booted(boots)
        return [source.secret() for _ in range(number + 1)][-1]

    def _booted(self, boots: int) -> Source:
        source = Source(self.key)
        for _ in range(boots):
            source.start()
        return source


@dataclass(slots=True)
class Bits:
    """Hardware bits that differ each time; `drawn` has all of them."""

    drawn: list[bytes] = field(default_factory=list)

    def __call__(self, size: int) -> bytes:
        self.drawn.append(bytes((len(self.drawn) * 7 + place * 3 + 1) % 256 for place in range(size)))
        return self.drawn[-1]


ORDER = ("log", "boot", "nonce", "nonce", "secret", "nonce", "secret", "secret")


def draws() -> Iterator[Vector]:
    """Three boots of a device, with and without hardware bits."""
    counting = bytes(range(32))
    yield drawn("zeros", "Hardware that gives zeros: no value comes twice, over three boots.", NO_KEY, bytes)
    yield drawn("key", "The same under a key: all values differ from those of another key.", counting, bytes)
    yield drawn("ones", "Hardware that gives ones.", counting, lambda size: b"\xff" * size)
    yield drawn("bits", "Hardware with random bits: each value takes fresh ones.", counting, Bits())
    late = Source(counting, boots=2**32 - 1, seed=bytes(32))
    yield drawn("late", "Counts of boots beyond 32 bits, and a seed of zeros.", counting, bytes, late)


def drawn(
    name: str, shows: str, key: bytes, bits: Callable[[int], bytes], start: Source | None = None
) -> Vector:
    """What comes in each of three boots."""
    source = start or Source(key)
    used: list[bytes] = []

    def noted(size: int) -> bytes:
        used.append(bits(size))
        return used[-1]

    source.bits = noted
    before = {"boots": source.boots, "seed": source.seed.hex()}
    boots = []
    for _ in range(3):
        source.start()
        values = [{"what": what, "value": getattr(source, what)().hex()} for what in ORDER]
        boots.append({"boots": source.boots, "seed": source.seed.hex(), "draws": values})
    return {
        "name": f"draws-{name}",
        "kind": "draws",
        "shows": shows,
        "key": key.hex(),
        "provisioning": before,
        "bits": [one.hex() for one in used],
        "starts": boots,
    }
