"""What a table and the floor say to each other about the journal on its way.

- `ack`: the floor has stored the rows up to one; signed.
- `resume`: a table that has connected asks what the floor has stored.
- `resend`: the floor asks a table to send the rows after one again.

A hash in these messages is that of a row that the stream has had already, so it gives no card away.
"""

from typing import Annotated, Literal, Self

from pydantic import StringConstraints, model_validator

from controller.journal.chain import START
from controller.property.wire import Count, Epoch, Message, UnixTime

Hash = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
ResendCode = Literal["fork", "gone", "down"]


class _Place(Message):
    """Row 0, without a row before it, has the hash before row 1."""

    row: Count
    hash: Hash

    @model_validator(mode="after")
    def _row_0_has_the_first_hash(self) -> Self:
        if not self.row and self.hash != START.hex():
            raise ValueError(f"row 0 has the hash {START.hex()}")
        return self

    @property
    def digest(self) -> bytes:
        return bytes.fromhex(self.hash)


class Acknowledgement(_Place):
    """The floor has stored the rows of a journal up to `row`."""

    epoch: Epoch
    at: UnixTime


class ResendRequest(_Place):
    """The floor has the rows up to `row`, and asks for those after it."""

    epoch: Epoch


class ResendReply(Message):
    """`code`: why the table cannot send them. "fork": its row has another hash; "gone": it has no rows before
    `oldest`; "down": it cannot read its journal now, or has another journal."""

    ok: bool
    code: ResendCode | None = None
    oldest: Count = 0


class ResumeRequest(Message):
    """A table whose journal has the rows from `oldest` to `row`."""

    epoch: Epoch
    oldest: Count
    row: Count


class ResumeReply(_Place):
    """The rows up to `row` are stored: 0 if none is. `admitted`: whether the floor takes this journal."""

    admitted: bool
