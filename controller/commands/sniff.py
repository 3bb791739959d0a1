"""The command `tableside device sniff`, which prints the messages on a line as they pass."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands import choices
from controller.commands.arguments import AsJson


def sniff(
    port: Annotated[
        str, typer.Argument(metavar="PORT", help="A device's path, socket://HOST:PORT or usb://...")
    ],
    baud: Annotated[
        int | None, typer.Option(min=1, help="The line's rate, unless it is the usual one.")
    ] = None,
    adapter: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=f"A shoe that does not speak TSL/1: {', '.join(choices.ADAPTERS)}."
        ),
    ] = "",
    between: Annotated[
        Path | None,
        typer.Option(metavar="NEWPORT", help="Offer the device here to a daemon, and show both directions."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the messages on a line until Ctrl-C, then how many there were of each.

    It sends nothing itself. Sealed messages are shown as sealed; no key is used.
    A device is silent until a host speaks to it. To watch it at work, let the
    daemon use NEWPORT, which exists while this command runs.

    Example: tableside device sniff /dev/ttyUSB0 --baud 115200
    """
    from controller.commands.handlers.sniff import handle

    handle(port, baud=baud, adapter=adapter, between=between, as_json=as_json)
