"""The command `tableside journal shuffles`."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson

JournalFile = Annotated[
    Path, typer.Argument(metavar="JOURNAL", help="The journal's file.", show_default=False)
]


def shuffles_command(journal: JournalFile, as_json: AsJson = False) -> None:
    """Test how well the shoes of a journal were shuffled.

    The command tests only shoes that another one has followed. A good shuffle
    fails each test once in twenty times: test more shoes before you blame the
    shuffler.

    Example: tableside journal shuffles table.journal
    """
    from controller.commands.handlers.shuffles import handle

    handle(journal, as_json)
