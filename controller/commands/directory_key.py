"""What `tableside device provision directory` does: make the key for which the floor seals directories."""

from dataclasses import dataclass
from pathlib import Path

from controller.commands.journal_key import KeyOrder
from controller.commands.stored_key import stored_key
from controller.config import FloorSection
from controller.journal.trust import write_public
from controller.property.sealing import SealingKey

DIRECTORY = "directory"
"""The argument that stands for this key instead of a device's, and the name of its credential."""


@dataclass(frozen=True, slots=True)
class DirectoryKey:
    """The key in the file `key`; its public half, in hex and in the file `public_file`. `new`: it was made
    or stored now."""

    device: str
    key: str
    public: str
    public_file: str
    new: bool

    def text(self) -> str:
        return (
            f"key for directories of the floor: {self.key}{', new' if self.new else ', as before'}\n"
            f"public key: {self.public}, in {self.public_file}"
            + ("\nRestart the table's service, and have the table admitted with this key." * self.new)
        )


def provision_directory(section: FloorSection, order: KeyOrder) -> DirectoryKey:
    """Store the key that is given, or a new one; without `replace`, a key that is there stays. Its public
    half is written in any case.

    Raises KeyFault or OSError if a key cannot be used or written.
    """
    path, public_file = Path(section.directory_key), Path(section.directory_public)
    key, new = stored_key(DIRECTORY, path, order)
    public = SealingKey(key).public
    write_public(public_file, public)
    return DirectoryKey(DIRECTORY, str(order.encrypted or path), public.hex(), str(public_file), new)
