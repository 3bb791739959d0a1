"""The command `tableside floor drill`."""

from typing import Annotated

import typer

from controller.commands.arguments import AsJson


def drill(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The drill; without it, a list.")] = "",
    every: Annotated[bool, typer.Option("--all", help="All drills, one after the other.")] = False,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="How long the troubles of a drill last.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Try what the floor promises: servers are killed, disks put back, journals copied.

    A drill has servers, a floor and tables of its own in a temporary folder.
    Status 0: everything came out as expected. A drill for which this computer
    lacks something is absent, and has not passed.

    Example: tableside floor drill clone
    """
    from controller.commands.handlers.floor_drill import handle

    handle(name, every=every, seconds=seconds, as_json=as_json)
