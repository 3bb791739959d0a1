"""A table's configuration: one TOML file, every fault of it named at once.

`read` gives a checked `Config` or raises `ConfigError` with one message per fault, each naming the key,
its value and what is allowed.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self, get_args, get_origin

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import ErrorDetails

from controller.calendar import HOURS, Calendar, ReportSettings
from controller.config.cross_checks import further_faults, toml_text
from controller.config.devices import DevicesSection, Section
from controller.config.web import AccessSection, WebSection
from controller.games import GAMES
from controller.money import percent
from controller.table.record.rules import Bank, Progressive
from drivers.devices.reconnect import ReconnectTiming

SHARES = 'a share of each stake as text, as "15%" or "2.75%"'
CENTS = "cents, a whole number from 1 on"
SECTIONS_WITH_PATHS = ("journal", "web", "access", "selftest", "devices")
"""Sections with paths."""
MEGABYTES = "MB, a whole number from 1 to 1000000000"


class ConfigError(Exception):
    """The configuration cannot be used; `faults` holds one sentence each."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def _known_game(name: str) -> str:
    if name not in GAMES:
        raise ValueError("no such game")
    return name


class TableSection(Section):
    """The table itself."""

    name: Annotated[str, Field(min_length=1, max_length=32, description="1 to 32 characters")]
    game: Annotated[
        str, AfterValidator(_known_game), Field(description=" or ".join(f'"{name}"' for name in GAMES))
    ]
    seats: Annotated[int, Field(ge=1, le=9, description="a whole number from 1 to 9")] = 7
    bank: Annotated[Bank, Field(description=" or ".join(f'"{bank}"' for bank in get_args(Bank)))] = (
        "third party"
    )
    target: Annotated[
        int, Field(ge=0, le=1000, description="rounds an hour, a whole number from 0 (none) to 1000")
    ] = 0


def _share(written: str) -> str:
    percent(written)
    return written


Share = Annotated[str, AfterValidator(_share)]


class JackpotSection(Section):
    """How a jackpot is fed."""

    seed: Annotated[int, Field(ge=1, description=CENTS)] = 1_000_000
    contribution: Annotated[Share, Field(description=SHARES)] = "15%"
    reserve: Annotated[Share, Field(description=SHARES)] = "5%"
    reset: Annotated[int | None, Field(ge=1, description=CENTS)] = None
    limit: Annotated[int | None, Field(ge=1, description=CENTS)] = None
    threshold: Annotated[int | None, Field(ge=1, description=CENTS)] = None
    second_over: Annotated[int, Field(ge=0, description="cents, a whole number from 0 on")] = 500_000
    tax_over: Annotated[int, Field(ge=0, description="cents, a whole number from 0 on")] = 60_000

    def progressive(self) -> Progressive:
        """As the table's rules have it."""
        return Progressive(**self.model_dump())


class JournalSection(Section):
    """Where the truth is kept."""

    path: Annotated[
        str, Field(min_length=1, description="the path of a file, beside the configuration if relative")
    ]
    mirror: Annotated[
        str | None,
        Field(
            min_length=1,
            description="the path of a file on another disk, beside the configuration if relative",
        ),
    ] = None
    key: Annotated[
        str, Field(min_length=1, description="the path of a file, beside the configuration if relative")
    ] = "keys/journal.key"
    public: Annotated[
        str, Field(min_length=1, description="the path of a file, beside the configuration if relative")
    ] = "journal.pub"
    retention: Annotated[int, Field(ge=90, le=36500, description="days, a whole number from 90 to 36500")] = (
        400
    )
    warn_free: Annotated[int, Field(ge=1, le=1_000_000_000, description=MEGABYTES)] = 1000
    stop_free: Annotated[int, Field(ge=1, le=1_000_000_000, description=MEGABYTES)] = 200

    def resolved(self, folder: Path) -> Self:
        """With whole paths, for a configuration in `folder`."""
        given = {name: getattr(self, name) for name in ("path", "mirror", "key", "public")}
        return self.model_copy(
            update={name: str((folder / path).resolve()) for name, path in given.items() if path}
        )


class SelftestSection(Section):
    """What the daemon compares its own files with."""

    manifest: Annotated[
        str, Field(description="the path of a file, beside the configuration if relative")
    ] = ""

    def resolved(self, folder: Path) -> Self:
        """With its whole path, for a configuration in `folder`."""
        return self.model_copy(update={"manifest": self.manifest and str((folder / self.manifest).resolve())})


class FlappingSection(Section):
    """When a device comes and goes too often to be played with."""

    losses: Annotated[int, Field(ge=2, le=1000, description="a whole number from 2 to 1000")] = 5
    window: Annotated[int, Field(ge=1, le=3600, description="seconds, a whole number from 1 to 3600")] = 60
    hold: Annotated[int, Field(ge=1, le=3600, description="seconds, a whole number from 1 to 3600")] = 120

    def timing(self) -> ReconnectTiming:
        """As the drivers have it."""
        return ReconnectTiming(losses=self.losses, window=self.window, hold=self.hold)


class ReportsSection(Section):
    """What reports are of: gaming days and shifts, by the house's clock."""

    day_begins: Annotated[str, Field(description=HOURS)] = "06:00"
    shifts: Annotated[
        tuple[str, ...], Field(strict=False, description='times of day, as ["06:00", "18:00"]')
    ] = ("06:00", "14:00", "22:00")
    zone: Annotated[str, Field(description='a time zone, as "Europe/Berlin"')] = "UTC"
    pause: Annotated[int, Field(ge=1, le=240, description="minutes, a whole number from 1 to 240")] = 10

    def settings(self, target: int) -> ReportSettings:
        """As reports have it; `target`: rounds an hour that are wanted."""
        return ReportSettings(Calendar(self.day_begins, self.shifts, self.zone), 60.0 * self.pause, target)


class Config(Section):
    """A whole table."""

    table: Annotated[TableSection, Field(description="a section with name and game")]
    options: Annotated[
        dict[str, Any], Field(description="a section with the game's options", default_factory=dict)
    ]
    jackpot: Annotated[
        dict[str, JackpotSection],
        Field(description="a section for each jackpot of the game", default_factory=dict),
    ]
    journal: Annotated[JournalSection, Field(description="a section with path")]
    web: Annotated[WebSection, Field(description="a section with host and port")] = WebSection()
    access: Annotated[AccessSection, Field(description="a section with path")] = AccessSection()
    selftest: Annotated[SelftestSection, Field(description="a section with manifest")] = SelftestSection()
    flapping: Annotated[FlappingSection, Field(description="a section with losses, window and hold")] = (
        FlappingSection()
    )
    reports: Annotated[
        ReportsSection, Field(description="a section with day_begins, shifts, zone and pause")
    ] = ReportsSection()
    devices: Annotated[DevicesSection, Field(description="a section for each device")]


def read(path: Path) -> Config:
    """The checked configuration of the file at `path`, its paths made whole."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError((f"{path} cannot be read: {error.strerror}",)) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError((f"{path} is no TOML: {error}",)) from error
    config = parse(raw)
    folder = path.parent
    placed = {name: getattr(config, name).resolved(folder) for name in SECTIONS_WITH_PATHS}
    return config.model_copy(update=placed)


def parse(raw: Mapping[str, Any]) -> Config:
    """The checked configuration of a parsed TOML document."""
    faults = tuple(further_faults(raw))
    try:
        config = Config.model_validate(raw)
    except ValidationError as error:
        raise ConfigError((*map(_sentence, error.errors()), *faults)) from error
    if faults:
        raise ConfigError(faults)
    return config


def _sentence(error: ErrorDetails) -> str:
    key = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        known = ", ".join(_model(error["loc"][:-1]).model_fields)
        return f"{key} = {toml_text(error['input'])}: unknown key; allowed here: {known}"
    if error["type"] == "character":
        return f"{key}: not allowed: {error['msg']}; allowed: text that can be seen"
    allowed = _allowed(_model(error["loc"][:-1]), str(error["loc"][-1]))
    if error["type"] == "missing":
        return f"{key} is missing; needed: {allowed}"
    return f"{key} = {toml_text(error['input'])}: not allowed; allowed: {allowed}"


def _allowed(model: type[Section], name: str) -> str | None:
    """What a key takes; one that names a section of its own choice takes the section's keys."""
    field = model.model_fields.get(name)
    return f"a section with {', '.join(model.model_fields)}" if field is None else field.description


def _model(location: tuple[int | str, ...]) -> type[Section]:
    """The section's model that a location of an error leads to."""
    model: type[Section] = Config
    names = iter(location)
    for name in names:
        annotation = model.model_fields[str(name)].annotation
        model = next(kind for kind in (annotation, *get_args(annotation)) if _is_section(kind))
        if get_origin(annotation) is dict:
            next(names, None)
    return model


def _is_section(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Section)
