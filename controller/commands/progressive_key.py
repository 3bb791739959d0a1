"""What `tableside device provision progressive` does: make the key with which both instances of a linked
progressive sign."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from controller.commands.journal_key import KeyOrder
from controller.commands.stored_key import stored_key
from controller.journal.signing import Signer

if TYPE_CHECKING:
    from controller.floor.progressive.settings import ProgressiveConfig

PROGRESSIVE = "progressive"
"""The argument that stands for this key instead of a device's, and the name of its credential."""


@dataclass(frozen=True, slots=True)
class ProgressiveKey:
    """The key of `level`, in the file `key`; its public half, in hex. `new`: it was made or stored now."""

    device: str
    level: str
    key: str
    public: str
    new: bool

    def text(self) -> str:
        state = "new" if self.new else "as before"
        return (
            f"key of the linked progressive {self.level}: {self.key}, {state}\npublic key: {self.public}"
            + ("\nGive the same key to the other instance, with --from." * self.new)
        )


def provision_progressive(config: "ProgressiveConfig", order: KeyOrder) -> ProgressiveKey:
    """Store the key that is given, or a new one; without `replace`, a key that is there stays.

    Raises KeyFault or OSError if a key cannot be used or written.
    """
    path = Path(config.key)
    key, new = stored_key(PROGRESSIVE, path, order)
    return ProgressiveKey(
        PROGRESSIVE, config.level, str(order.encrypted or path), Signer(key).public.hex(), new
    )
