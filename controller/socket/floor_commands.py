"""Commands of the floor: a signed message becomes a command of the table, or a refusal."""

from controller.property.commands import Command, Reply
from controller.property.signed import SignedMessage
from controller.socket.core import Core, FloorTrust
from controller.socket.floor_messages import Refused, read_signed
from controller.table.record.events import FloorCommand


async def take_command(core: Core, floor: FloorTrust, message: SignedMessage) -> Reply:
    """The reply to a signed command. Raises Refused."""
    desk = core.desk()
    command = _verified(message, floor, desk.state.epoch)
    taken = await desk.command(FloorCommand.of(command, message))
    return Reply(id=taken.id, ok=taken.code == "done", row=taken.row, code=taken.code, reason=taken.reason)


def _verified(message: SignedMessage, floor: FloorTrust, epoch: str) -> Command:
    """The command, if the floor gave it to this table. Raises Refused."""
    command = read_signed(Command, message, floor)
    expected = floor.subjects.command(floor.table, command.command)
    if (command.table, command.epoch) != (floor.table, epoch) or message.subject != expected:
        given = f"{message.subject}, table {command.table}, journal {command.epoch}"
        raise Refused("table", f"{given}; allowed: {expected}, journal {epoch}")
    return command
