"""Which configuration a command uses: the one that it was given, else the one that the environment names,
else the one of the installed service."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from controller.commands.exit_codes import usage

FOLDER: Final = Path("/etc/tableside")
"""Where the packages and the units have configurations."""
MISSING: Final = "--config is missing; needed: the file of a configuration"
NO_JOURNAL: Final = "no journal is named; allowed: its file, or --config FILE of its table"


@dataclass(frozen=True, slots=True)
class DefaultConfig:
    """Where the configuration of a service is, if no option names it. `variable`: of the environment. `name`:
    of the file in FOLDER."""

    variable: str
    name: str

    @property
    def installed(self) -> Path:
        return FOLDER / self.name

    @property
    def path(self) -> Path | None:
        if named := os.environ.get(self.variable):
            return Path(named)
        return self.installed if self.installed.exists() else None

    def __str__(self) -> str:
        return f"{self.variable}, then {self.installed}"


TABLE: Final = DefaultConfig("TABLESIDE_CONFIG", "table.toml")
FLOOR: Final = DefaultConfig("TABLESIDE_FLOOR_CONFIG", "floor.toml")
PROGRESSIVE: Final = DefaultConfig("TABLESIDE_PROGRESSIVE_CONFIG", "progressive.toml")


def default_config(*services: DefaultConfig, missing: str = MISSING) -> Path:
    """The configuration of one of these services. Raises typer.Exit after printing `missing`, and which
    places were tried."""
    found = [path for service in services if (path := service.path)]
    if len(found) == 1:
        return found[0]
    tried = (f"{one.variable} is not set, {one.installed} does not exist" for one in services)
    several = f"There are {' and '.join(map(str, found))}"
    raise usage(f"{missing}. {several if found else ', '.join(tried)}")


def journal_config() -> Path:
    """The configuration of the table whose journal is meant, if neither is named. Raises typer.Exit after
    printing why there is none."""
    return default_config(TABLE, missing=NO_JOURNAL)


def _from_places(option: Callable[..., Any], *services: DefaultConfig, **settings: Any) -> Any:
    """An option or argument whose value is `default_config` if it is not given."""

    def named_or_default(value: Path | None) -> Path:
        return value or default_config(*services)

    return option(
        metavar="FILE",
        default_factory=_absent,
        callback=named_or_default,
        show_default=", or ".join(map(str, services)),
        **settings,
    )


def _absent() -> None:
    """What the parser takes for an option that is not given. It asks for that also to complete a command,
    where nothing may be printed."""


def _option(help_text: str, *services: DefaultConfig) -> Any:
    return _from_places(partial(typer.Option, "--config"), *services, help=help_text)


ConfigFile = Annotated[Path, _option("The table's configuration.", TABLE)]
ConfigArgument = Annotated[
    Path, _from_places(typer.Argument, TABLE, help="The table's configuration, a TOML file.")
]
FloorFile = Annotated[Path, _option("The floor's configuration.", FLOOR)]
ProgressiveFile = Annotated[Path, _option("The configuration of the instance.", PROGRESSIVE)]
TableOrFloorFile = Annotated[Path, _option("The configuration of the table or the floor.", TABLE, FLOOR)]
JournalConfig = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="The configuration of the journal's table.")
]
