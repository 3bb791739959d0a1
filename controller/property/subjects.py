"""Names of properties and tables, and the subjects under which tables and the floor send messages."""

import re
from dataclasses import dataclass

NAME = re.compile(r"[a-z0-9-]{1,24}")
ALLOWED = "1 to 24 small letters, digits and hyphens"
HUB = "hub"
"""The property that stands for all properties of a company."""
EPOCH_LENGTH = 16


def checked_name(what: str, name: str) -> str:
    """The name of a property or a table. Raises ValueError."""
    if not NAME.fullmatch(name):
        raise ValueError(f"{what} {name!r}; allowed: {ALLOWED}")
    return name


def epoch_of(first_hash: bytes) -> str:
    """The epoch of a journal: the first 16 hex digits of the hash of its row 1."""
    return first_hash.hex()[:EPOCH_LENGTH]


@dataclass(frozen=True, slots=True)
class PropertySubjects:
    """The subjects of one property, `of`."""

    of: str

    def incoming(self) -> "PropertySubjects":
        """Those under which a linked progressive of this property gets messages: that of the hub, from tables
        of all properties."""
        return PropertySubjects("*") if self.of == HUB else self

    def journal(self, table: str, epoch: str) -> str:
        """Batches of the rows of a table."""
        return f"ts.{self.of}.journal.{table}.{epoch}"

    @property
    def journals(self) -> str:
        """The batches of all tables."""
        return self.journal("*", "*")

    def acknowledgement(self, table: str) -> str:
        """Up to which row the floor has the journal of a table."""
        return f"ts.{self.of}.ack.{table}"

    def resume(self, table: str) -> str:
        """A table asks what is stored of its journal."""
        return f"ts.{self.of}.resume.{table}"

    def resend(self, table: str) -> str:
        """The floor asks a table to send rows again."""
        return f"ts.{self.of}.resend.{table}"

    def status(self, table: str) -> str:
        """What a table is doing."""
        return f"ts.{self.of}.status.{table}"

    @property
    def statuses(self) -> str:
        """What all tables are doing."""
        return self.status("*")

    def command(self, table: str, name: str) -> str:
        """A signed command of the floor to a table."""
        return f"ts.{self.of}.command.{table}.{name}"

    def directory(self, table: str) -> str:
        """The signed list of people who may work at a table."""
        return f"ts.{self.of}.directory.{table}"

    @property
    def floor_log(self) -> str:
        """The floor's own journal."""
        return f"ts.{self.of}.floor.log"

    def reading(self, level: str, table: str) -> str:
        """What a table sends to a linked progressive: meters, claims, steps of claims."""
        return f"ts.{self.of}.progressive.in.{level}.{table}"

    def administration(self, level: str) -> str:
        """What the floor sends to a linked progressive."""
        return f"ts.{self.of}.progressive.admin.{level}"

    def progressive_log(self, level: str) -> str:
        """The log of a linked progressive."""
        return f"ts.{self.of}.progressive.log.{level}"

    def amount(self, level: str) -> str:
        """The amount of a linked progressive."""
        return f"ts.{self.of}.progressive.amount.{level}"
