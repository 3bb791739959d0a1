"""`tableside devices`: what is plugged in, who it is and how it is."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from controller.chosen import AsJson, print_json
from controller.config import Config, ConfigError, read
from controller.endings import usage
from controller.help_panels import DEVICES
from controller.technician.device_tables import shown
from controller.technician.inventory import inventory
from drivers.listing import listed


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(rich_help_panel=DEVICES)(devices)


def devices(
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="The table's configuration.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the ports of this machine and the devices of a table: who they are, how they are, what to do.

    No port is opened. What the devices say comes from the running daemon; without
    one, configuration and ports are told alone.

    Example: tableside devices --config table.toml
    """
    seen = inventory(_read(config), listed())
    if as_json:
        print_json(asdict(seen))
        return
    Console(markup=False, highlight=False).print(*shown(seen), sep="\n")


def _read(path: Path | None) -> Config | None:
    try:
        return read(path) if path else None
    except ConfigError as error:
        raise usage(*error.faults) from None
