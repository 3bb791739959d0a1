"""The command `tableside device replace-maker-key`, which brings another key of its maker to a device of a
closed table."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson
from controller.commands.config_file import ConfigFile


def replace_maker_key(
    device: Annotated[str, typer.Argument(metavar="DEVICE", help="shoe, sensors, console, ...")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The key, as the root key signed it.")],
    config: ConfigFile,
    who: Annotated[str, typer.Option(metavar="NAME", help="Who does it; the command asks for the password.")],
    second: Annotated[
        str, typer.Option(metavar="NAME", help="The second person, who types a password, too.")
    ],
    root: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The public root key, to check the file here, too.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let a device of a closed table trust another key of its maker.

    From then on it takes firmware that this key signed, and none that the one
    before signed. The daemon must not run. Both persons are technicians or
    supervisors, and type their passwords.

    Example: tableside device replace-maker-key shoe next.pub.signed
    --config table.toml --who "A. Smith" --second "B. Jones"
    """
    from controller.commands.handlers.replace_maker_key import handle

    handle(device, file=file, config=config, who=who, second=second, root=root, as_json=as_json)
