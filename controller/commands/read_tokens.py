"""The commands `tableside people token ...`: tokens with which other systems read the API."""

from typing import Annotated

import typer

from controller.commands import choices
from controller.commands.arguments import AsJson, By
from controller.commands.config_file import TableOrFloorFile

token = typer.Typer(
    no_args_is_help=True, help="Make, list and revoke tokens with which other systems read the API."
)
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="What the token is for, such as the system's name.")
]
Days = Annotated[int, typer.Option(min=1, max=choices.MOST_TOKEN_DAYS, help="Days after which it expires.")]


@token.command("make")
def make(config: TableOrFloorFile, name: Name, days: Days = 365, by: By = "") -> None:
    """Make a token, and print it. It is shown only now.

    A program that sends it as "Authorization: Bearer TOKEN" reads the API as an
    auditor does. It never acts.

    Example: tableside people token make "player rating" --days 90 --config table.toml
    """
    from controller.commands.handlers import read_tokens as handlers

    handlers.make(config, name=name, days=days, by=by)


@token.command("list")
def list_tokens(config: TableOrFloorFile, as_json: AsJson = False) -> None:
    """Show all tokens without their secrets, also those that are no longer valid.

    Example: tableside people token list --config table.toml
    """
    from controller.commands.handlers import read_tokens as handlers

    handlers.list_tokens(config, as_json)


@token.command("revoke")
def revoke(config: TableOrFloorFile, name: Name, by: By = "") -> None:
    """Refuse a token from now on.

    Example: tableside people token revoke "player rating" --config table.toml
    """
    from controller.commands.handlers import read_tokens as handlers

    handlers.revoke(config, name, by)
