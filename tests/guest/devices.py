"""`python -m tests.guest.devices FOLDER`: the simulated devices of a table, plugged into the USB sockets of a
guest.

FOLDER is that of the guest. Each device is behind the socket NAME.usb, has its control socket at
NAME.control, and its memory and its key in files beside it. A device is a serial converter unless it is named
as one with a vendor interface.
"""

import asyncio
import os
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Final

from drivers.key_files import read_key
from drivers.sim.cable import Faults
from drivers.sim.cards import parse
from drivers.sim.kinds import KINDS, Settings
from drivers.sim.link.memory import MemoryFile
from drivers.sim.link.randomness import ProvisioningFile
from drivers.sim.physical_state import PhysicalState
from drivers.sim.run import Station, run
from drivers.sim.unit import Unit
from tests.guest.usb.ftdi import Ftdi
from tests.guest.usb.function import UsbFunction
from tests.guest.usb.port import RedirectedPort
from tests.guest.usb.vendor import VendorDevice

BAUD: Final = 115_200


def serial(kind: str) -> str:
    """The serial number of a device, also in its USB descriptor."""
    return f"{kind.upper()}-1"


def station(folder: Path, kind: str, *, seed: int, decks: int, vendor: bool) -> Station:
    """One device. If there is a file KIND.stack, it has the shoe's cards in order."""
    stack, memory = folder / f"{kind}.stack", folder / f"{kind}.memory"
    unit = Unit(
        Settings(
            kind,
            serial(kind),
            seed=seed,
            speed="max",
            decks=decks,
            stack=tuple(parse(stack.read_text())) if stack.exists() else (),
            log=folder / f"{kind}.cards",
        ),
        memory=MemoryFile(memory),
        surroundings=PhysicalState(memory.with_name(memory.name + ".around")),
        random=os.urandom,
        now=time.monotonic(),
        provisioning=ProvisioningFile(folder / f"{kind}.provisioning", read_key(folder / f"{kind}.key")),
        faults=Faults(),
        baud=0 if vendor else BAUD,
    )
    function: UsbFunction = VendorDevice(serial(kind)) if vendor else Ftdi(serial(kind))
    return Station(unit, RedirectedPort(folder / f"{kind}.usb", function), folder / f"{kind}.control")


def main() -> None:
    """Until SIGTERM or the end of the parent process."""
    parser = ArgumentParser(description="Simulated devices for a guest.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decks", type=int, default=8)
    parser.add_argument("--vendor", nargs="*", default=[], help="devices with a vendor interface")
    chosen = parser.parse_args()
    stations = (
        station(chosen.folder, kind, seed=chosen.seed, decks=chosen.decks, vendor=kind in chosen.vendor)
        for kind in KINDS
    )
    asyncio.run(run(*stations))


if __name__ == "__main__":
    main()
