"""Commands of the floor: what arrives through the uplink becomes a command of the table, or a refusal.

The uplink is not trusted: it only carries the bytes. The core itself compares the signature with the keys
that it pins, then the property, the table and the journal. A message that fails here leaves no row: nobody
knows who sent it.
"""

from controller.property.commands import Command, Reply, ReplyCode
from controller.property.signed import SignedMessage, UnsignedError
from controller.property.wire import MalformedMessage
from controller.socket.codes import CallError, Code
from controller.socket.core import Core, FloorTrust
from controller.socket.params import SignedActParams
from controller.table.record.events import CommandTaken, FloorCommand

NO_FLOOR = "the table belongs to no floor: its configuration names no keys of one"


class Refused(Exception):
    """The command does not reach the table."""

    def __init__(self, code: ReplyCode, why: str) -> None:
        super().__init__(why)
        self.code: ReplyCode = code


async def take_command(core: Core, _caller: object, params: SignedActParams) -> dict[str, object]:
    """The reply to a signed command. Raises CallError if the table belongs to no floor."""
    if core.trust is None:
        raise CallError(Code.FORBIDDEN, NO_FLOOR)
    desk, message = core.desk(), params.signed.message
    try:
        command = _verified(message, core.trust, desk.state.epoch)
    except Refused as refused:
        return _reply(CommandTaken("", refused.code, 0, str(refused)))
    return _reply(await desk.command(FloorCommand.of(command, message)))


def _verified(message: SignedMessage, floor: FloorTrust, epoch: str) -> Command:
    """The command, if the floor gave it to this table. Raises Refused."""
    try:
        command = Command.read(message.verify(floor.keys))
    except UnsignedError as wrong:
        raise Refused("signature", str(wrong)) from None
    except MalformedMessage as wrong:
        raise Refused("command", str(wrong)) from None
    expected = floor.subjects.command(floor.table, command.command)
    if (command.table, command.epoch) != (floor.table, epoch) or message.subject != expected:
        given = f"{message.subject}, table {command.table}, journal {command.epoch}"
        raise Refused("table", f"{given}; allowed: {expected}, journal {epoch}")
    return command


def _reply(taken: CommandTaken) -> dict[str, object]:
    done = taken.code == "done"
    reply = Reply(id=taken.id, ok=done, row=taken.row, code=taken.code, reason=taken.reason)
    return reply.model_dump()
