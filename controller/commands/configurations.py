"""The configurations that commands read. A fault in one is a usage error."""

from pathlib import Path
from typing import TYPE_CHECKING

from controller.commands.exit_codes import usage
from controller.config import AccessSection, Config, ConfigError, read
from controller.config.reading import read_document

if TYPE_CHECKING:
    from controller.floor.settings import FloorConfig

FLOOR_KEY = "property"
"""A key that the configuration of a floor has, and that of a table has not."""


def read_config(path: Path) -> Config:
    """The configuration in this file. Raises typer.Exit after printing its faults."""
    try:
        return read(path)
    except ConfigError as error:
        raise usage(*error.faults) from None


def access_section(path: Path) -> AccessSection:
    """What the configuration of a table or a floor in this file says about accounts. Raises typer.Exit after
    printing its faults."""
    return table_or_floor(path).access


def table_or_floor(path: Path) -> "Config | FloorConfig":
    """The configuration of a table or a floor in this file. Raises typer.Exit after printing its faults."""
    try:
        document = read_document(path)
    except ConfigError as error:
        raise usage(*error.faults) from None
    return floor_config(path) if FLOOR_KEY in document else read_config(path)


def floor_config(path: Path) -> "FloorConfig":
    """The floor's configuration in this file. Raises typer.Exit after printing its faults."""
    from controller.floor.settings import read_floor  # it loads NATS, which no other command needs

    try:
        return read_floor(path)
    except ConfigError as error:
        raise usage(*error.faults) from None


def configured_journal(path: Path) -> Path:
    """The journal of the table with this configuration. Raises typer.Exit after printing its faults."""
    return Path(read_config(path).journal.path)
