"""Messages of the floor, as they arrive through the uplink.

The uplink is not trusted: it only carries the bytes. The core itself compares the signature with the keys
that it pins. A message that fails here leaves no row, because its sender is unknown.
"""

from typing import Protocol, Self, TypeVar

from controller.property.commands import ReplyCode
from controller.property.signed import SignedMessage, UnsignedError
from controller.property.wire import MalformedMessage
from controller.socket.core import FloorTrust


class FloorMessage(Protocol):
    """What the floor may sign."""

    @classmethod
    def read(cls, payload: bytes) -> Self:
        """The message in these bytes. Raises MalformedMessage."""


_Message = TypeVar("_Message", bound=FloorMessage)


class Refused(Exception):
    """The core does not take the message. The text says why."""

    def __init__(self, code: ReplyCode, why: str) -> None:
        super().__init__(why)
        self.code: ReplyCode = code


def read_signed(kind: type[_Message], message: SignedMessage, floor: FloorTrust) -> _Message:
    """What the floor signed. Raises Refused."""
    try:
        return kind.read(message.verify(floor.keys))
    except UnsignedError as wrong:
        raise Refused("signature", str(wrong)) from None
    except MalformedMessage as wrong:
        raise Refused("command", str(wrong)) from None
