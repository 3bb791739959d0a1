"""The command `tableside device decode`, which prints the messages in a capture of a line."""

from typing import Annotated

import typer

from controller.commands import choices
from controller.commands.arguments import AsJson

STDIN = "-"


def decode(
    adapter: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=f"What the device speaks: {', '.join(('tsl', *choices.ADAPTERS))}."
        ),
    ],
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A capture: its bytes, or hex text; -: standard input.")
    ] = STDIN,
    hex_text: Annotated[
        bool | None,
        typer.Option(
            "--hex/--raw", help="The capture is hex text, or bytes; without either, it is detected."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print each message of a capture as text, noise as noise, and how much there was of each.

    A capture has what one side sent. Lines of hex text that begin with # are
    comments. Sealed messages are shown as sealed; no key is used. The exit status
    is 1 if there was noise; with --json, if a message was rejected.

    Example: tableside device decode --adapter tsl capture.hex
    """
    from controller.commands.handlers.decode import handle

    handle(adapter, file=file, hex_text=hex_text, as_json=as_json)
