"""`python -m drivers.sim.adapters MAKE --link PATH --control PATH ...`: a simulated commercial shoe."""

import asyncio
import os
import time
from pathlib import Path
from typing import Annotated, Literal

import typer

from drivers.sim.adapters.tcp import TcpPort
from drivers.sim.adapters.unit import PlainUnit
from drivers.sim.cable import Faults
from drivers.sim.kinds import Settings
from drivers.sim.options import (
    Baud,
    Chance,
    Control,
    Decks,
    Log,
    MemoryPath,
    Seed,
    Speed,
    Stack,
    memory_at,
    physical_state_at,
    stack_of,
)
from drivers.sim.pty_port import PtyPort
from drivers.sim.run import Station, run

Make = Literal["angel-eye-2ex", "bee-tek"]


def main(
    *,
    make: Annotated[Make, typer.Argument(help="What to simulate.")],
    link: Annotated[Path, typer.Option(help="Symbolic link to make to the pty, or the address's file.")],
    control: Control,
    tcp: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Behind a TCP server on loopback, not on a pty.")
    ] = None,
    memory: MemoryPath = None,
    seed: Seed = 1,
    speed: Speed = "human",
    decks: Decks = 8,
    stack: Stack = None,
    log: Log = None,
    baud: Baud = 0,
    drop: Chance = 0.0,
    flip: Chance = 0.0,
    duplicate: Chance = 0.0,
    split: Chance = 0.0,
    stall: Chance = 0.0,
) -> None:
    """Simulate one commercial shoe until SIGTERM or the end of the parent process."""
    settings = Settings(
        kind=make, serial="", seed=seed, speed=speed, decks=decks, stack=stack_of(stack), log=log
    )
    unit = PlainUnit(
        settings,
        memory=memory_at(memory),
        surroundings=physical_state_at(memory),
        random=os.urandom,
        now=time.monotonic(),
        faults=Faults(drop=drop, flip=flip, duplicate=duplicate, split=split, stall=stall),
        baud=baud,
    )
    port = PtyPort(link) if tcp is None else TcpPort(link, tcp)
    asyncio.run(run(Station(unit, port, control)))


if __name__ == "__main__":
    typer.run(main)
