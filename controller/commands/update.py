"""The command `tableside device update`, which installs firmware in a device of a closed table."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson
from controller.commands.config_file import ConfigFile


def update(
    device: Annotated[str, typer.Argument(metavar="DEVICE", help="shoe, sensors, console, ...")],
    image: Annotated[Path, typer.Argument(metavar="IMAGE", help="The firmware, as its maker signed it.")],
    config: ConfigFile,
    who: Annotated[str, typer.Option(metavar="NAME", help="Who does it; the command asks for the password.")],
    second: Annotated[
        str, typer.Option(metavar="NAME", help="The second person, who types a password, too.")
    ],
    maker: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The maker's public key, to check the file here, too.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Put new firmware into a device of a closed table.

    The daemon must not run. Both persons are technicians or supervisors, and type
    their passwords. If the command is interrupted, run it again: it continues,
    or the device returns to the firmware that it had.

    Example: tableside device update shoe shoe-7.update --config table.toml
    --who "A. Smith" --second "B. Jones"
    """
    from controller.commands.handlers.update import handle

    handle(device, image=image, config=config, who=who, second=second, maker=maker, as_json=as_json)
