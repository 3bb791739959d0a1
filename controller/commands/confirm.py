"""The command `tableside journal confirm`. It prompts for passwords or reads them from standard input,
because other users of the computer could see arguments."""

from typing import Annotated

import typer

from controller.commands.config_file import ConfigFile


def confirm_command(
    config: ConfigFile,
    who: Annotated[str, typer.Option(metavar="NAME", help="The first supervisor.")],
    second: Annotated[str, typer.Option(metavar="NAME", help="The second supervisor.")],
    why: Annotated[str, typer.Option(metavar="TEXT", help="What they compared, and why it is right.")],
) -> None:
    """Accept a journal that cannot prove that it is whole, or that it is this table's.

    For a table that halts with "Two supervisors must confirm the journal".
    Both type their passwords. The next start of the service, within an hour,
    continues with this journal and records who confirmed it.

    Example: tableside journal confirm --config table.toml --who "Ann Lee"
    --second "Bo Berg" --why "restored copy"
    """
    from controller.commands.handlers.confirm import handle

    handle(config, who=who, second=second, why=why)
