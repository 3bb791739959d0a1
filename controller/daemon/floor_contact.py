"""Alerts about the directory of the floor: whether one comes, and whether all of it is used."""

from collections.abc import Callable, Mapping
from typing import Final

from controller.access.desk import AccessDesk
from controller.access.directory import ContactState
from controller.table.apply.conditions import DIRECTORY, NAMES
from controller.table.record.causes import Cause

TEXTS: Final[Mapping[ContactState, str]] = {
    "none": "",
    "online": "",
    "offline": "The floor has sent no directory for a quarter of an hour. The last one counts for {hours} h",
    "expired": "The floor has sent no directory for {hours} h. Only dealers who have dealt here since then, "
    "and the sealed account of the house, can sign in",
}
UNUSED: Final = "These accounts of the floor do not count here, because the table has its own of such names: "


def look_at_directory(hours: float, condition: Callable[[Cause, str], None], access: AccessDesk) -> None:
    """`hours`: for how long the last directory counts. `condition` raises an alert, or ends it if its text is
    empty. Raises AccountsUnusable."""
    condition(DIRECTORY, TEXTS[access.directory.state].format(hours=f"{hours:g}"))
    place = access.directory.place
    unused = place.unused if place else ()
    condition(NAMES, f"{UNUSED}{', '.join(unused)}" if unused else "")
