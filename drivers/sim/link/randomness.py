"""Where a device's random values come from: its provisioning record, and random bits of its hardware.

Section 7.1 of firmware-protocol/README.md. Counters make a repeated nonce impossible, whatever the hardware
gives. The seed, which each boot overwrites before it uses what follows from it, keeps earlier secrets of
shares unpredictable to whoever reads the device later.
"""

import hmac
import json
import os
from collections.abc import Callable
from pathlib import Path

from drivers.link.key_schedule import KEY, subkey

NONCE = 16
ID = 8
MOST_NONCES = 2**32


class Provisioning:
    """The provisioning record {K, boots, seed}. It lies apart from the device's memory, so formatting leaves
    it alone. An empty key stands for `seal = none`."""

    def __init__(self, key: bytes = b"", seed: bytes = bytes(KEY), boots: int = 0) -> None:
        self.key = key
        self.seed = seed
        self.boots = boots
        self._before = seed, boots

    def advance(self, seed: bytes) -> None:
        """Counts a boot and replaces the seed, in one write. Durable when it returns."""
        self._before = self.seed, self.boots
        self.seed = seed
        self.boots += 1
        self._save()

    def rewind(self) -> None:
        """The record is again as it was before the last boot: somebody copied it back."""
        self.seed, self.boots = self._before
        self._save()

    def _save(self) -> None:
        """Makes the record durable."""


class ProvisioningFile(Provisioning):
    """The record in a file that survives kill -9. A record of another key, or one that cannot be read, is
    provisioned anew with a seed from the operating system."""

    def __init__(self, path: Path, key: bytes = b"") -> None:
        super().__init__(key, os.urandom(KEY))
        self._path = path
        stored = _stored(path)
        if stored and stored.key == key:
            self.seed, self.boots = stored.seed, stored.boots

    def _save(self) -> None:
        fresh = self._path.with_name(self._path.name + ".new")
        content = {"key": self.key.hex(), "boots": self.boots, "seed": self.seed.hex()}
        fresh.unlink(missing_ok=True)
        fresh.touch(0o600)
        fresh.write_text(json.dumps(content) + "\n", "ascii")
        fresh.replace(self._path)


def _stored(path: Path) -> Provisioning | None:
    try:
        content = json.loads(path.read_text("ascii"))
        found = Provisioning(
            bytes.fromhex(content["key"]), bytes.fromhex(content["seed"]), int(content["boots"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if len(found.seed) == KEY else None


class DeviceRandom:
    """The random values of one boot. `hardware` gives random bits of the hardware; `bytes`, which gives
    zeros, stands for a device that has none. The constructor counts the boot, before anything is drawn."""

    def __init__(self, provisioning: Provisioning, hardware: Callable[[int], bytes] = bytes) -> None:
        self._provisioning = provisioning
        self._hardware = hardware
        self._draw_key = subkey(provisioning.key, b"TSL/1 draw")
        self._state = b""
        self._nonces = 0
        self._count_boot()

    @property
    def key(self) -> bytes:
        """K; empty for `seal = none`."""
        return self._provisioning.key

    def log(self) -> bytes:
        """An id for a new log."""
        return self._id(b"TSL/1 log")

    def boot(self) -> bytes:
        """The id of this boot."""
        return self._id(b"TSL/1 boot")

    def nonce(self) -> bytes:
        """A nonce that no earlier one of this key equals."""
        drawn = self._derived(b"TSL/1 nonce", self._nonces.to_bytes(4, "little"))[:NONCE]
        self._nonces += 1
        if self._nonces == MOST_NONCES:
            self._count_boot()
        return drawn

    def secret(self) -> bytes:
        """The secret of a share, for one session."""
        drawn = hmac.digest(self._state, b"TSL/1 share" + self._hardware(KEY), "sha256")
        self._state = hmac.digest(self._state, b"TSL/1 next", "sha256")
        return drawn

    def _count_boot(self) -> None:
        seed = self._provisioning.seed
        self._state = hmac.digest(seed, b"TSL/1 start" + self._hardware(KEY), "sha256")
        self._nonces = 0
        self._provisioning.advance(hmac.digest(seed, b"TSL/1 seed" + self._hardware(KEY), "sha256"))

    def _id(self, label: bytes) -> bytes:
        return self._derived(label)[:ID]

    def _derived(self, label: bytes, count: bytes = b"") -> bytes:
        boots = self._provisioning.boots.to_bytes(8, "little")
        return hmac.digest(self._draw_key, label + boots + count + self._hardware(NONCE), "sha256")
