"""What a table and the floor say to each other about the journal on its way.

- `ack`: the floor has stored the rows up to one; signed.
- `resume`: a table that has connected asks what the floor has stored.
- `resend`: the floor asks a table to send the rows after one again.

A hash in these messages is that of a row that the stream has had already, so it gives no card away.
"""

from dataclasses import dataclass
from typing import Literal

from controller.journal.chain import START
from controller.property.small_messages import MalformedMessage, SmallMessage

ResendCode = Literal["fork", "gone", "down"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place(SmallMessage):
    """Row 0, without a row before it, has the hash before row 1."""

    row: int
    hash: str

    def __post_init__(self) -> None:
        SmallMessage.__post_init__(self)
        if not self.row and self.hash != START.hex():
            raise MalformedMessage(f"row 0 has the hash {START.hex()}")

    @property
    def digest(self) -> bytes:
        return bytes.fromhex(self.hash)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement(_Place):
    """The floor has stored the rows of a journal up to `row`."""

    epoch: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ResendRequest(_Place):
    """The floor has the rows up to `row`, and asks for those after it."""

    epoch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResendReply(SmallMessage):
    """`code`: why the table cannot send them. "fork": its row has another hash; "gone": it has no rows before
    `oldest`; "down": it cannot read its journal now, or has another journal."""

    ok: bool
    code: ResendCode | None = None
    oldest: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeRequest(SmallMessage):
    """A table whose journal has the rows from `oldest` to `row`."""

    epoch: str
    oldest: int
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeReply(_Place):
    """The rows up to `row` are stored: 0 if none is. `admitted`: whether the floor takes this journal."""

    admitted: bool
