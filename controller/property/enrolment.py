"""The request with which a table asks the floor to admit its journal."""

from typing import Annotated

from pydantic import StringConstraints

from controller.property.wire import Epoch, Message, Name, Number

UserKey = Annotated[str, StringConstraints(pattern="^(U[A-Z2-7]{55})?$")]
HexHash = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
SealingPublic = Annotated[str, StringConstraints(pattern="^([0-9a-f]{64})?$")]
"""Empty for a table that takes no directories."""


class EnrolmentRequest(Message):
    """`public`: the public key that signs the journal. `first`: the oldest row that the table can send, and
    `before` the hash before it. `sealing`: the public key for which directories are sealed. All in hex.
    `user`: the public key with which the uplink signs in at the servers; empty if they admit everybody."""

    property: Name
    table: Name
    public: HexHash
    epoch: Epoch
    first: Number
    before: HexHash
    sealing: SealingPublic = ""
    user: UserKey = ""
