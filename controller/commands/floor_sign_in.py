"""Two supervisors of a floor prove who they are, for commands that decide something."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.access.errors import AccessError
from controller.access.people import Role
from controller.commands.exit_codes import failed
from controller.commands.local_sign_in import two_persons
from controller.commands.persons import persons

if TYPE_CHECKING:
    from controller.floor.settings import FloorConfig

DECIDING: Final[tuple[Role, ...]] = ("supervisor",)


def two_supervisors(config: "FloorConfig", who: str, second: str, why: str, act: str) -> tuple[str, str]:
    """The names of the two persons, who have typed their passwords. Raises typer.Exit."""
    named = persons(who, why, second)
    try:
        return two_persons(Path(config.access.path), named.who, named.second, DECIDING, act)
    except AccessError as error:
        raise failed(str(error)) from None
