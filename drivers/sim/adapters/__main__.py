"""`python -m drivers.sim.adapters MAKE --link PATH --control PATH ...`: a simulated commercial shoe."""

import asyncio
import os
import time
from pathlib import Path
from typing import Annotated, Literal

import typer

from drivers.link.memory import Memory
from drivers.link.memory_file import MemoryFile
from drivers.sim.adapters.tcp import TcpPort
from drivers.sim.adapters.unit import PlainUnit
from drivers.sim.cable import Faults
from drivers.sim.cards import NotACardError, parse
from drivers.sim.kinds import Settings
from drivers.sim.run import run
from drivers.sim.surroundings import Surroundings

Make = Literal["angel-eye-2ex", "bee-tek"]
Speed = Literal["human", "max"]
Chance = Annotated[float, typer.Option(min=0.0, max=1.0, help="Chance for each message, both ways.")]


def main(
    *,
    make: Annotated[Make, typer.Argument(help="What to simulate.")],
    link: Annotated[Path, typer.Option(help="Symbolic link to make to the pty, or the address's file.")],
    control: Annotated[Path, typer.Option(help="Unix socket for hands and eyes.")],
    tcp: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Behind a TCP server on loopback, not on a pty.")
    ] = None,
    memory: Annotated[Path | None, typer.Option(help="What outlives its power; else nothing does.")] = None,
    seed: Annotated[int, typer.Option(help="Order of cards, and faults.")] = 1,
    speed: Annotated[Speed, typer.Option(help="How fast mechanics are.")] = "human",
    decks: Annotated[int, typer.Option(min=1, max=10, help="Decks in the shoe.")] = 8,
    stack: Annotated[Path | None, typer.Option(exists=True, help="The shoe's cards in order.")] = None,
    log: Annotated[Path | None, typer.Option(help="The shoe's own list of cards that left.")] = None,
    baud: Annotated[int, typer.Option(min=0, help="Line rate to keep; 0: none.")] = 0,
    drop: Chance = 0.0,
    flip: Chance = 0.0,
    duplicate: Chance = 0.0,
    split: Chance = 0.0,
    stall: Chance = 0.0,
) -> None:
    """Simulate one commercial shoe until SIGTERM or the end of the parent process."""
    settings = Settings(
        kind=make, serial="", seed=seed, speed=speed, decks=decks, stack=_stack(stack), log=log
    )
    unit = PlainUnit(
        settings,
        memory=MemoryFile(memory) if memory else Memory(),
        surroundings=Surroundings(memory.with_name(memory.name + ".around") if memory else None),
        nonce=os.urandom,
        now=time.monotonic(),
        faults=Faults(drop=drop, flip=flip, duplicate=duplicate, split=split, stall=stall),
        baud=baud,
    )
    asyncio.run(run(unit, link, control, None if tcp is None else TcpPort(link, tcp)))


def _stack(path: Path | None) -> tuple[str, ...]:
    if path is None:
        return ()
    try:
        return tuple(parse(path.read_text()))
    except NotACardError as error:
        raise typer.BadParameter(f"{path}: {error}", param_hint="--stack") from error


if __name__ == "__main__":
    typer.run(main)
