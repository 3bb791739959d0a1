"""`tableside demo`: a table that plays itself, for people to watch or for machines to measure."""

import asyncio
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

DEFAULT_PORT = 8080


class Speed(StrEnum):
    """How fast people and mechanics are."""

    HUMAN = "human"
    MAX = "max"


Chance = Annotated[float, typer.Option(min=0.0, max=0.5, help="Chance for each frame, on every cable.")]
PagePort = Annotated[int, typer.Option(min=1, max=65535, help="The page's TCP port on loopback.")]


def register(app: typer.Typer) -> None:
    """Adds the command to `app`."""
    app.command("demo")(demo)


def demo(
    game: Annotated[str, typer.Option(help="The game's id.")] = "easy-jack",
    rounds: Annotated[int | None, typer.Option(min=1, help="Stop after so many; for ever if absent.")] = None,
    speed: Annotated[Speed, typer.Option(help="human: at a pace to follow; max: no waits.")] = Speed.HUMAN,
    seed: Annotated[int, typer.Option(help="Cards, wagers and faults.")] = 1,
    port: PagePort = DEFAULT_PORT,
    drop: Chance = 0.0,
    flip: Chance = 0.0,
    folder: Annotated[Path | None, typer.Option(help="Keep configuration, journal and logs here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Only the figures, for machines.")] = False,
) -> None:
    """Play a table on simulated hardware: devices, daemon and crew, each in its place.

    The address of the table's page is printed first. Ctrl-C ends everything that was started.
    """
    from controller.demo.perform import perform  # simulated devices are no part of any other command
    from controller.demo.stage import Faults, Scene, Stage, StageError

    scene = Scene(game=game, seed=seed, speed=speed, web_port=port, faults=Faults(drop=drop, flip=flip))
    with tempfile.TemporaryDirectory(prefix="tableside-") as temporary:
        stage = Stage(folder or Path(temporary), scene)
        try:
            result = asyncio.run(perform(stage, rounds, as_json=as_json))
        except StageError as error:
            typer.echo(f"tableside: {error}", err=True)
            raise typer.Exit(1) from error
    raise typer.Exit(1 if result and not result.journal_equals_shoe else 0)
