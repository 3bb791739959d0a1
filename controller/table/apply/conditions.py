"""Conditions of the computer itself: disks, accounts, keys, pages, the table socket and the
uplink."""

from controller.table.record.causes import Cause, cause, kind_of
from controller.table.record.events import NOTICE, DiskLevel, DiskSpace, Noticed
from controller.table.state.table_state import TableState

LOW = "The {disk}'s disk is nearly full: {left} left. Make room"
STOP = "The {disk}'s disk is full but for {left}: no round begins until there is room"
ACCOUNTS = cause("accounts")
"""Nobody can sign in."""
DIRECTORY = cause("directory")
"""The floor sends no directory."""
NAMES = cause("directory", "names")
"""Accounts of the floor are not used at this table, because of their names."""
PAGE = cause("page")
"""No page can be reached."""
SEAL = cause("seal")
"""Cards that lie face down are not sealed."""
SECRETS = cause("secrets")
"""Passwords and PINs cannot be checked."""
SOCKET = cause("socket")
"""No program can reach the table."""
SHIPPING = cause("shipping")
"""The uplink must not send the journal to the floor."""
UPLINK = cause("uplink")
"""The uplink does not reach the floor."""
STANDING_KINDS = frozenset(
    {
        "accounts",
        "directory",
        "latency",
        "mirror",
        "page",
        "reader",
        "seal",
        "secrets",
        "shipping",
        "socket",
        "uplink",
    }
)
"""Kinds of conditions that last until the daemon reports their end."""


def apply_notice(state: TableState, noticed: Noticed) -> None:
    """Show the notice: a standing condition until it has ended, any other notice until the round is over."""
    if kind_of(noticed.about) in STANDING_KINDS:
        _set_standing(state, noticed)
        return
    if noticed.about != NOTICE:
        state.shift.alarms.end(lambda alarm: alarm.cause == noticed.about, state.shift.at)
    if noticed.text:
        state.alert(noticed.about, noticed.text)


def notice_of_change(state: TableState, about: Cause, text: str) -> Noticed | None:
    """The input that gives the alert with this cause this text, or ends it if the text is empty. None if
    nothing changes."""
    return None if state.standing.get(about, "") == text else Noticed(text, about)


def _set_standing(state: TableState, noticed: Noticed) -> None:
    if noticed.text:
        state.set_standing(noticed.about, noticed.text)
    else:
        state.standing.pop(noticed.about, None)


def apply_disk_space(state: TableState, space: DiskSpace) -> None:
    """A disk has reached another level. A round in play goes on to its end at any level."""
    about = _about(space.disk)
    state.lift(about)
    if space.level == "low":
        state.set_standing(about, LOW.format(disk=space.disk, left=_room_left(space)))
        return
    state.standing.pop(about, None)
    if space.level == "stop":
        state.suspend_between(about, STOP.format(disk=space.disk, left=_room_left(space)))


def disk_level(state: TableState, disk: str) -> DiskLevel:
    """How the table believes a disk to be."""
    about = _about(disk)
    if about in state.suspension.passing or about in state.after_round:
        return "stop"
    return "low" if about in state.standing else "enough"


def _about(disk: str) -> Cause:
    return cause("disk", disk)


def _room_left(space: DiskSpace) -> str:
    room = f"{space.free // 1_000_000:,} MB"
    return room if space.files is None else f"{room} and room for {space.files:,} more files"
