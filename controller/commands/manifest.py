"""The command `tableside table manifest`, which lists the product's files for the self-test or for an
auditor."""

from pathlib import Path
from typing import Annotated

import typer

Write = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the list to this file instead of printing it.")
]
Install = Annotated[bool, typer.Option("--install", help="Write the list where every table looks for it.")]
Compile = Annotated[
    bool, typer.Option("--compile", help="Compile all sources first, and list the results, too.")
]
Sign = Annotated[
    Path | None,
    typer.Option("--sign", metavar="KEY", help="Sign the list with this release key, in FILE.sig beside it."),
]
NewKey = Annotated[bool, typer.Option("--new-key", help="Make the release key, and KEY.pub beside it.")]
Seed = Annotated[str, typer.Option(metavar="TEXT", help="Hash with this key, which the auditor chooses.")]


def manifest(
    write: Write = None,
    install: Install = False,
    compiled: Compile = False,
    seed: Seed = "",
    sign: Sign = None,
    new_key: NewKey = False,
) -> None:
    """List the program's own files with their hashes.

    A table compares its files with such a list at each start, and refuses to
    run if one is changed, missing or unexpected. A table that knows the
    release key requires that this key signed the list.

    Example: tableside table manifest --compile --install
    """
    from controller.commands.handlers.manifest import handle

    handle(write, install=install, compiled=compiled, seed=seed, sign=sign, new_key=new_key)
