"""The request with which a table asks the floor to admit its journal."""

from typing import Annotated, Self

from pydantic import StringConstraints, model_validator

from controller.journal.chain import START
from controller.property.wire import Epoch, Hash, Message, Name, Number

UserKey = Annotated[str, StringConstraints(pattern="^(U[A-Z2-7]{55})?$")]
SealingPublic = Annotated[str, StringConstraints(pattern="^([0-9a-f]{64})?$")]
"""Empty for a table that takes no directories."""


class EnrolmentRequest(Message):
    """`public`: the public key that signs the journal. `first`: the oldest row that the table can send, and
    `before` the hash before it. `sealing`: the public key for which directories are sealed. All in hex.
    `user`: the public key with which the uplink signs in at the servers; empty if they admit everybody."""

    property: Name
    table: Name
    public: Hash
    epoch: Epoch
    first: Number
    before: Hash
    sealing: SealingPublic = ""
    user: UserKey = ""

    @model_validator(mode="after")
    def _row_1_has_the_first_hash(self) -> Self:
        if self.first == 1 and self.before != START.hex():
            raise ValueError(f"the hash before row 1 is {START.hex()}")
        return self
