"""`python -m drivers.sim KIND --link PATH --control PATH ...`: a simulated device on a pty or on USB."""

import asyncio
import functools
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from drivers.key_files import KeyFault, read_key, read_public
from drivers.link.key_schedule import KEY
from drivers.sim.cable import Faults
from drivers.sim.flash import Flash, FlashFile
from drivers.sim.kinds import Settings
from drivers.sim.link.randomness import Provisioning, ProvisioningFile
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
from drivers.sim.run import Port, Station, run
from drivers.sim.unit import Unit

KindName = Literal["shoe", "shuffler", "sensors", "display", "console"]
OnUsb = Annotated[
    bool, typer.Option("--usb", help="On a USB bus of umockdev's, whose folder the link's name is.")
]
KeyFile = Annotated[Path | None, typer.Option(help="The device's key; without it, it speaks unsealed.")]
MakerFile = Annotated[
    Path | None, typer.Option(help="Its maker's public key; without it, its firmware stays.")
]


RootFile = Annotated[
    Path | None, typer.Option(help="Its root key's public half; without it, its maker's key stays.")
]


def station(
    *,
    kind: Annotated[KindName, typer.Argument(help="What to simulate.")],
    link: Annotated[Path, typer.Option(help="Symbolic link to make to the pty.")],
    usb: OnUsb = False,
    control: Control,
    memory: MemoryPath = None,
    key: KeyFile = None,
    maker: MakerFile = None,
    root: RootFile = None,
    serial: Annotated[str, typer.Option(help="Serial number; SIM-KIND if left out.")] = "",
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
) -> Station:
    """Simulate one device on a pty, or on USB, until SIGTERM or the end of the parent process."""
    settings = Settings(
        kind=kind,
        serial=serial or f"SIM-{kind.upper()}",
        seed=seed,
        speed=speed,
        decks=decks,
        stack=stack_of(stack),
        log=log,
    )
    unit = Unit(
        settings,
        memory=memory_at(memory),
        surroundings=physical_state_at(memory),
        random=os.urandom,
        now=time.monotonic(),
        provisioning=_provisioning(_key(key, "--key"), memory),
        maker=_key(maker, "--maker", read_public),
        root=_key(root, "--root", read_public),
        flash=FlashFile(memory.with_name(memory.name + ".flash")) if memory and maker else Flash(),
        faults=Faults(drop=drop, flip=flip, duplicate=duplicate, split=split, stall=stall),
        baud=baud,
    )
    return Station(unit, _usb(link, settings.serial) if usb else PtyPort(link), control)


@functools.wraps(station)  # with its options
def main(**options: Any) -> None:
    asyncio.run(run(station(**options)))


def _usb(folder: Path, serial: str) -> Port:
    from drivers.sim.usb.port import UsbPort  # umockdev is needed for this only
    from drivers.sim.usb.umockdev import UmockdevMissingError

    try:
        return UsbPort(folder, serial)
    except UmockdevMissingError as error:
        raise typer.BadParameter(str(error), param_hint="--usb") from error


def _provisioning(key: bytes, memory: Path | None) -> Provisioning:
    """The provisioning record, in a file beside the memory if there is one."""
    if memory is None:
        return Provisioning(key, os.urandom(KEY))
    return ProvisioningFile(memory.with_name(memory.name + ".provisioning"), key)


def _key(path: Path | None, option: str, read: Callable[[Path], bytes] = read_key) -> bytes:
    if path is None:
        return b""
    try:
        return read(path)
    except KeyFault as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


if __name__ == "__main__":
    typer.run(main)
