"""`python -m drivers.sim.several FILE`: the simulated devices of a table in one process.

Each line of the file is a JSON list of the words that follow `python -m drivers.sim` for one device. A device
of its own process takes 0.4 s of a processor to start, and 28 MB; one more of this process takes 1 MB.
"""

import asyncio
import json
import sys
from pathlib import Path

import typer

from drivers.sim.__main__ import station
from drivers.sim.run import Station, run


def stations(file: Path) -> list[Station]:
    """The devices of a file. Raises SystemExit, which names the first option that cannot be used."""
    device = typer.Typer(add_completion=False)
    device.command()(station)
    command = typer.main.get_command(device)
    lines = file.read_text("utf-8").splitlines()
    try:
        return [command.main(json.loads(line), prog_name="device", standalone_mode=False) for line in lines]
    except typer.BadParameter as error:
        raise SystemExit(error.format_message()) from None


if __name__ == "__main__":
    asyncio.run(run(*stations(Path(sys.argv[1]))))
