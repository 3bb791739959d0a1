"""The command `tableside floor demo`, which runs a floor of simulated tables."""

from typing import Annotated

import typer

from controller.commands.arguments import AsJson
from controller.commands.demo import Folder, Speed

MOST_TABLES = 24

Tables = Annotated[int, typer.Option("--tables", min=1, max=MOST_TABLES, help="How many tables play.")]
Rounds = Annotated[int | None, typer.Option(min=1, help="Rounds of each table; for ever if absent.")]
FloorPort = Annotated[
    int, typer.Option(min=0, max=65535, help="The page's TCP port on loopback; 0: 8080, or another if taken.")
]


def floor_demo(
    tables: Tables = 12,
    rounds: Rounds = None,
    speed: Annotated[Speed, typer.Option(help="human: at a pace to follow; max: no waits.")] = Speed.HUMAN,
    seed: Annotated[int, typer.Option(help="Decides cards and wagers.")] = 1,
    port: FloorPort = 0,
    pages: Annotated[bool, typer.Option("--pages", help="Each table has its own page too.")] = False,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Play a whole floor on simulated hardware.

    One server, the floor, a linked progressive and all tables run as processes
    of this computer, with keys that are thrown away. The address of the floor's
    page is printed first. Ctrl-C ends everything that was started. With
    --rounds, the floor's rows are compared with those of the tables in the end;
    status 1: something is wrong.

    Example: tableside floor demo --tables 12
    """
    from controller.commands.handlers.floor_demo import handle

    handle(
        tables, rounds=rounds, speed=speed, seed=seed, port=port, pages=pages, folder=folder, as_json=as_json
    )
