"""Directories of the floor: who may work at this table.

The core itself compares the signature with the keys that it pins, then the table and the place in the order
of versions. What fails here changes nothing. It is recorded as a refusal; repeated ones become a sum.
"""

import hashlib

from controller.access.desk import AccessDesk
from controller.access.directory import FloorAccount, OfferedDirectory, OlderDirectory
from controller.access.errors import AccountsUnusable
from controller.property.commands import Reply
from controller.property.directory import Directory, DirectoryContent
from controller.property.sealing import SealBroken
from controller.property.signed import SignedMessage
from controller.property.wire import MalformedMessage
from controller.socket.core import Core, FloorTrust
from controller.socket.floor_messages import Refused, read_signed

NO_KEY = "the table has no key for directories: tableside device provision directory makes it"


async def take_directory(core: Core, floor: FloorTrust, message: SignedMessage) -> Reply:
    """The reply, when the directory is on disk. Raises Refused, and CallError if the table has no
    accounts."""
    desk = core.accounts()
    try:
        _take(desk, floor, message)
    except Refused as refused:
        desk.report_directory(str(refused))
        raise
    except AccountsUnusable as fault:
        raise Refused("down", fault.why) from None
    return Reply(ok=True, code="done")


def _take(desk: AccessDesk, floor: FloorTrust, message: SignedMessage) -> None:
    """Raises Refused, AccountsUnusable."""
    directory = read_signed(Directory, message, floor)
    if directory.table != floor.table:
        raise Refused("table", f"a directory of the table {directory.table}; allowed: {floor.table}")
    content = _content(directory, floor)
    digest = hashlib.sha256(message.payload).hexdigest()
    try:
        desk.directory.take(_offered(directory, content, digest))
    except OlderDirectory as older:
        raise Refused("older", str(older)) from None


def _content(directory: Directory, floor: FloorTrust) -> DirectoryContent:
    """Raises Refused."""
    if floor.sealing is None:
        raise Refused("sealed", NO_KEY)
    try:
        return directory.open(floor.sealing)
    except SealBroken as broken:
        raise Refused("sealed", f"directory version {directory.version}: {broken}") from None
    except MalformedMessage as wrong:
        raise Refused("command", f"directory version {directory.version}: {wrong}") from None


def _offered(directory: Directory, content: DirectoryContent, digest: str) -> OfferedDirectory:
    accounts = (
        FloorAccount(one.id, one.name, one.role, one.secret, one.badge, one.locked)
        for one in content.accounts
    )
    revoked = frozenset(content.revoked)
    return OfferedDirectory(directory.version, directory.issued, tuple(accounts), revoked, digest)
