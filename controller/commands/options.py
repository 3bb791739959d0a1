"""The parts into which `tableside --help` sorts its commands.

The option that names a table, for the commands that need one.
"""

from pathlib import Path
from typing import Annotated

import typer

TABLE = "Table"
PEOPLE = "People"
JOURNAL = "Journal"
DEVICES = "Devices"
GAMES = "Games"

ConfigFile = Annotated[Path, typer.Option("--config", metavar="FILE", help="The table's configuration.")]
