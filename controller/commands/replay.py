"""The command `tableside journal replay`."""

from typing import Annotated

import typer

from controller.commands.arguments import AsJson
from controller.commands.config_file import JournalConfig

Which = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="JOURNAL ROUND",
        help="The journal's file, unless --config names it, and a round's number; all rounds if absent.",
        show_default=False,
    ),
]
AsScript = Annotated[
    bool, typer.Option("--script", help="Print only the round scripts, one a line, as settle reads them.")
]

Speed = Annotated[
    float | None,
    typer.Option(metavar="X", help="Print each step of a round when it came, X times faster than it did."),
]


def replay_command(
    which: Which = None,
    config: JournalConfig = None,
    as_script: AsScript = False,
    as_json: AsJson = False,
    speed: Speed = None,
) -> None:
    """Show ended rounds of a journal card by card, and settle each once more by the rules.

    The journal is only read; its table may run meanwhile.

    Example: tableside journal replay table.journal 7
    """
    from controller.commands.handlers.replay import handle

    handle(which, config=config, as_script=as_script, as_json=as_json, speed=speed)
