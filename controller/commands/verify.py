"""The command `tableside journal verify`."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson
from controller.commands.config_file import JournalConfig

Journal = Annotated[
    Path | None,
    typer.Argument(
        metavar="JOURNAL", help="The journal's file, unless --config names it.", show_default=False
    ),
]
Mirror = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Its mirror, if no configuration names it.")
]
Public = Annotated[
    str | None,
    typer.Option(metavar="HEX|FILE", help="The key that must have signed, or the file with it."),
]
Anchors = Annotated[
    list[str] | None,
    typer.Option(
        "--anchor",
        "--expect",
        metavar="ROW:HASH|FILE",
        help="A row with its hash, from a slip, a report or a note, or a file of them; may be repeated.",
    ),
]
Rules = Annotated[
    bool,
    typer.Option("--rules", help="Settle each round once more by the rules, too; it takes longer."),
]
Processes = Annotated[int, typer.Option(min=0, help="Processes at most; 0: one for each processor.")]


def verify_command(
    journal: Journal = None,
    config: JournalConfig = None,
    mirror: Mirror = None,
    public: Public = None,
    anchor: Anchors = None,
    rules: Rules = False,
    processes: Processes = 0,
    as_json: AsJson = False,
) -> None:
    """Check a whole journal: chain, signatures, meters, money, mirror.

    The journal is only read; its table may run meanwhile. Status 1: something is wrong.

    Example: tableside journal verify table.journal --rules
    """
    from controller.commands.handlers.verify import handle

    handle(
        journal,
        config=config,
        mirror=mirror,
        public=public,
        anchor=anchor,
        rules=rules,
        processes=processes,
        as_json=as_json,
    )
