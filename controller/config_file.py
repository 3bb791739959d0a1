"""The option that names a table, for the commands that need one."""

from pathlib import Path
from typing import Annotated

import typer

ConfigFile = Annotated[Path, typer.Option("--config", metavar="FILE", help="The table's configuration.")]
