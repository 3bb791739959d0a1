"""The command `tableside table certificate`."""

from typing import Annotated

import typer

from controller.commands.arguments import AsJson
from controller.commands.config_file import TableOrFloorFile

Days = Annotated[int, typer.Option(min=1, max=3650, help="Days for which it is valid.")]
Make = Annotated[bool, typer.Option("--make", help="Make one if there is none yet.")]
Replace = Annotated[bool, typer.Option("--replace", help="With --make: replace the one that exists.")]
Spki = Annotated[
    bool, typer.Option("--spki", help="Print only the hash of its key, which the kiosk's browser trusts.")
]


def certificate_command(
    config: TableOrFloorFile,
    make_one: Make = False,
    replace: Replace = False,
    days: Days = 730,
    spki: Spki = False,
    as_json: AsJson = False,
) -> None:
    """Show the certificate of the pages of a table or a floor, or make one.

    Compare the fingerprint that is printed here with the one that your browser
    shows when you open the page for the first time.

    Example: tableside table certificate --make --config table.toml
    """
    from controller.commands.handlers.certificate import handle

    handle(config, make_one=make_one, replace=replace, days=days, spki=spki, as_json=as_json)
