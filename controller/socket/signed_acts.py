"""The method `act` with `signed`: a message of the floor goes to what takes messages under its subject."""

from collections.abc import Awaitable, Callable

from controller.property.commands import Reply
from controller.property.signed import SignedMessage
from controller.socket.codes import CallError, Code
from controller.socket.core import Core, FloorTrust
from controller.socket.floor_acknowledgements import take_acknowledgement
from controller.socket.floor_commands import take_command
from controller.socket.floor_directory import take_directory
from controller.socket.floor_messages import Refused
from controller.socket.params import SignedActParams

NO_FLOOR = "the table belongs to no floor: its configuration names no keys of one"
Taker = Callable[[Core, FloorTrust, SignedMessage], Awaitable[Reply]]


async def take_signed(core: Core, _caller: object, params: SignedActParams) -> dict[str, object]:
    """The reply to a message of the floor. Raises CallError if the table belongs to no floor."""
    if core.trust is None:
        raise CallError(Code.FORBIDDEN, NO_FLOOR)
    message = params.signed.message
    try:
        reply = await _taker(core.trust, message.subject)(core, core.trust, message)
    except Refused as refused:
        reply = Reply(ok=False, code=refused.code, reason=str(refused))
    return reply.model_dump()


def _taker(floor: FloorTrust, subject: str) -> Taker:
    """What takes messages under this subject; any other one is that of a command, or refused as one."""
    takers: dict[str, Taker] = {
        floor.subjects.acknowledgement(floor.table): take_acknowledgement,
        floor.subjects.directory(floor.table): take_directory,
    }
    return takers.get(subject, take_command)
