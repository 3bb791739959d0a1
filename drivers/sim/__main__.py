"""`python -m drivers.sim KIND --link PATH --control PATH ...`: a simulated device on a pty or on USB."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import typer

from drivers.link.memory import Memory
from drivers.link.memory_file import MemoryFile
from drivers.provisioning import KeyFault, read_key
from drivers.sim.cable import Faults
from drivers.sim.cards import NotACardError, parse
from drivers.sim.flash import Flash, FlashFile
from drivers.sim.kinds import Settings
from drivers.sim.run import Port, run
from drivers.sim.surroundings import Surroundings
from drivers.sim.unit import Unit
from drivers.update.maker import read_public

KindName = Literal["shoe", "shuffler", "sensors", "display", "console"]
Speed = Literal["human", "max"]
Chance = Annotated[float, typer.Option(min=0.0, max=1.0, help="Chance for each frame, both ways.")]


def main(
    *,
    kind: Annotated[KindName, typer.Argument(help="What to simulate.")],
    link: Annotated[Path, typer.Option(help="Symbolic link to make to the pty.")],
    usb: Annotated[
        bool, typer.Option("--usb", help="On a USB bus of umockdev's, whose folder the link's name is.")
    ] = False,
    control: Annotated[Path, typer.Option(help="Unix socket for hands and eyes.")],
    memory: Annotated[
        Path | None, typer.Option(help="The device's memory; without it, none outlives this run.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(help="The device's key; without it, it speaks unsealed.")
    ] = None,
    maker: Annotated[
        Path | None, typer.Option(help="Its maker's public key; without it, its firmware stays.")
    ] = None,
    serial: Annotated[str, typer.Option(help="Serial number; SIM-KIND if left out.")] = "",
    seed: Annotated[int, typer.Option(help="Order of cards, bounces and faults.")] = 1,
    speed: Annotated[Speed, typer.Option(help="How fast mechanics are.")] = "human",
    decks: Annotated[int, typer.Option(min=1, max=10, help="Decks in the shoe or in the shuffler.")] = 8,
    stack: Annotated[Path | None, typer.Option(exists=True, help="The shoe's cards in order.")] = None,
    log: Annotated[Path | None, typer.Option(help="The shoe's own list of cards that left.")] = None,
    baud: Annotated[int, typer.Option(min=0, help="Line rate to keep; 0: none.")] = 0,
    drop: Chance = 0.0,
    flip: Chance = 0.0,
    duplicate: Chance = 0.0,
    split: Chance = 0.0,
    stall: Chance = 0.0,
) -> None:
    """Simulate one device on a pty, or on USB, until SIGTERM or the end of the parent process."""
    settings = Settings(
        kind=kind, serial=serial or f"SIM-{kind.upper()}", seed=seed, speed=speed, decks=decks,
        stack=_stack(stack), log=log,
    )  # fmt: skip
    faults = Faults(drop=drop, flip=flip, duplicate=duplicate, split=split, stall=stall)
    around = Surroundings(memory.with_name(memory.name + ".around") if memory else None)
    ring = MemoryFile(memory) if memory else Memory()
    unit = Unit(
        settings,
        memory=ring,
        surroundings=around,
        nonce=os.urandom,
        now=time.monotonic(),
        key=_key(key, "--key"),
        maker=_key(maker, "--maker", read_public),
        flash=FlashFile(memory.with_name(memory.name + ".flash")) if memory and maker else Flash(),
        faults=faults,
        baud=baud,
    )
    asyncio.run(run(unit, link, control, _usb(link, settings.serial) if usb else None))


def _usb(folder: Path, serial: str) -> Port:
    from drivers.sim.usb.port import UsbPort  # umockdev is needed for this only
    from drivers.sim.usb.umockdev import UmockdevMissingError

    try:
        return UsbPort(folder, serial)
    except UmockdevMissingError as error:
        raise typer.BadParameter(str(error), param_hint="--usb") from error


def _key(path: Path | None, option: str, read: Callable[[Path], bytes] = read_key) -> bytes:
    if path is None:
        return b""
    try:
        return read(path)
    except KeyFault as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


def _stack(path: Path | None) -> tuple[str, ...]:
    if path is None:
        return ()
    try:
        return tuple(parse(path.read_text()))
    except NotACardError as error:
        raise typer.BadParameter(f"{path}: {error}", param_hint="--stack") from error


if __name__ == "__main__":
    typer.run(main)
