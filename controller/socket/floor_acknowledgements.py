"""Acknowledgements of the floor: up to which row it has stored the table's journal."""

from controller.journal.errors import JournalError
from controller.property.commands import Reply
from controller.property.shipping import Acknowledgement
from controller.property.signed import SignedMessage
from controller.socket.core import Core, FloorTrust
from controller.socket.floor_messages import Refused, read_signed
from controller.table.upkeep.floor_copy import OtherRow


async def take_acknowledgement(core: Core, floor: FloorTrust, message: SignedMessage) -> Reply:
    """The reply: `row` is the last row of which the core knows that the floor has it. Raises Refused."""
    epoch, stored = core.desk().state.epoch, read_signed(Acknowledgement, message, floor)
    if stored.epoch != epoch:
        raise Refused("table", f"an acknowledgement of the journal {stored.epoch}; allowed: {epoch}")
    try:
        await core.copy.take(stored.row, stored.digest)
    except OtherRow as other:
        raise Refused("table", str(other)) from None
    except JournalError as error:
        raise Refused("down", str(error)) from None
    return Reply(ok=True, row=core.copy.row, code="done", reason="")
