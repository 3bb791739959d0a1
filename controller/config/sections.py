"""The sections of a table's configuration."""

from pathlib import Path
from typing import Annotated, Any, Self, get_args
from zoneinfo import available_timezones

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from controller.calendar import HOURS, Calendar, ReportSettings, named_zone, time_of_day
from controller.config.bridge import BridgeSection
from controller.config.chips import USUAL, Chips, checked_chips
from controller.config.devices import DevicesSection
from controller.config.floor import FloorSection, UplinkSection
from controller.config.progressive import ProgressiveSection
from controller.config.section import CURRENCY, FILE, Choices, FilePath, Section, conflict
from controller.config.socket import SocketSection
from controller.config.web import AccessSection, WebSection
from controller.currency import MINOR_DIGITS, Chip, Currency, named_currency
from controller.games import BrokenGame, game_names, open_game
from controller.money import percent
from controller.round.state import PayFrom
from controller.table.record.rules import Bank, Progressive
from drivers.devices.reconnect import ReconnectTiming

CENTS = "cents, a whole number from 1 on"
CENTS_OR_0 = "cents, a whole number from 0 on"
MEGABYTES = "MB, a whole number from 1 to 1000000000"
PROGRESSIVE = Progressive()
"""The defaults of a jackpot."""
ROTATING: Bank = "rotating"
THIRD_PARTY: Bank = "third party"


def _known_game(name: str) -> str:
    try:
        open_game(name)
    except BrokenGame as broken:
        raise conflict("game", name, f"not usable: {broken}") from broken
    return name


def _known_currency(code: str | None) -> str | None:
    if code is not None and code not in MINOR_DIGITS:
        raise ValueError("unknown currency")
    return code


def _share(text: str) -> str:
    percent(text)
    return text


def _hour(text: str) -> str:
    time_of_day(text)
    return text


def _zone(text: str) -> str:
    named_zone(text)
    return text


Share = Annotated[
    str, AfterValidator(_share), Field(description='a share of each stake as text, as "15%" or "2.75%"')
]
Amount = Annotated[int, Field(ge=1, description=CENTS)]
Megabytes = Annotated[int, Field(ge=1, le=1_000_000_000, description=MEGABYTES)]
ZONE = 'a name of the time zone database, as "America/Los_Angeles"'
TimeZone = Annotated[str, AfterValidator(_zone), Choices(available_timezones), Field(description=ZONE)]
Seconds = Annotated[int, Field(ge=1, le=3600, description="seconds, a whole number from 1 to 3600")]


class TableSection(Section):
    """`target`: rounds an hour, 0 for none. `currency`: None if the table has no jackpot and does not say;
    its amounts have no symbol then."""

    name: Annotated[str, Field(min_length=1, max_length=32, description="1 to 32 characters")]
    game: Annotated[str, AfterValidator(_known_game), Choices(game_names, listed=True)]
    seats: Annotated[int, Field(ge=1, le=9, description="a whole number from 1 to 9")] = 7
    bank: Annotated[Bank, Field(description=" or ".join(f'"{bank}"' for bank in get_args(Bank)))] = (
        THIRD_PARTY
    )
    pay_from: Annotated[
        PayFrom, Field(description=" or ".join(f'"{base}"' for base in get_args(PayFrom)))
    ] = "first-base"
    target: Annotated[
        int, Field(ge=0, le=1000, description="rounds an hour, a whole number from 0 (none) to 1000")
    ] = 0
    currency: Annotated[
        str | None, AfterValidator(_known_currency), Field(description=CURRENCY, examples=list(MINOR_DIGITS))
    ] = None
    chips: Annotated[Chips, Field(validate_default=True)] = ()
    time_zone: TimeZone = "UTC"

    @field_validator("chips", mode="before")
    @classmethod
    def _are_chips_of_the_currency(cls, written: object, info: ValidationInfo) -> tuple[Chip, ...]:
        """The usual ones of the currency if none are written. Without a valid currency, nobody can tell."""
        if "currency" not in info.data:
            return ()
        code = info.data["currency"] or ""
        return checked_chips(written, named_currency(code)) if written != () else USUAL.get(code, ())

    @property
    def money(self) -> Currency:
        return named_currency(self.currency or "")

    @field_validator("bank")
    @classmethod
    def _suits_the_game(cls, bank: Bank, info: ValidationInfo) -> Bank:
        game = info.data.get("game")
        if bank == ROTATING and game and not open_game(game).player_banked:
            raise conflict(
                "bank", bank, f'not allowed; allowed: "{THIRD_PARTY}", because the house banks {game}'
            )
        return bank


class JackpotSection(Section):
    """How a jackpot is fed; the keys of `Progressive`."""

    seed: Amount = PROGRESSIVE.seed
    contribution: Share = PROGRESSIVE.contribution
    reserve: Annotated[Share, Field(validate_default=True)] = PROGRESSIVE.reserve
    reset: Annotated[int | None, Field(ge=1, description=CENTS)] = PROGRESSIVE.reset
    limit: Annotated[int | None, Field(ge=1, description=CENTS)] = PROGRESSIVE.limit
    threshold: Annotated[int | None, Field(ge=1, description=CENTS)] = PROGRESSIVE.threshold
    second_over: Annotated[int, Field(ge=0, description=CENTS_OR_0)] = PROGRESSIVE.second_over
    tax_over: Annotated[int, Field(ge=0, description=CENTS_OR_0)] = PROGRESSIVE.tax_over

    @field_validator("reserve")
    @classmethod
    def _leaves_something(cls, reserve: str, info: ValidationInfo) -> str:
        contribution = info.data.get("contribution", "0%")
        if percent(contribution) + percent(reserve) > 1:
            fault = f'not allowed with reserve = "{reserve}"; allowed: together at most 100%'
            raise conflict("contribution", contribution, fault)
        return reserve

    @field_validator("limit")
    @classmethod
    def _is_not_below_the_start(cls, limit: int | None, info: ValidationInfo) -> int | None:
        for key in ("seed", "reset"):
            start = info.data.get(key)
            if limit is not None and start is not None and limit < start:
                fault = f"not allowed with {key} = {start}; allowed: {start} or more, or no limit"
                raise conflict("limit", limit, fault)
        return limit

    def progressive(self) -> Progressive:
        return Progressive(**self.model_dump())


class JournalSection(Section):
    """`warn_free` and `stop_free`: free space in MB at which the table warns and stops."""

    path: FilePath
    mirror: Annotated[
        str | None,
        Field(
            min_length=1,
            description="the path of a file on another disk, beside the configuration if relative",
        ),
    ] = None
    key: FilePath = "keys/journal.key"
    public: FilePath = "journal.pub"
    seal: Annotated[str | None, Field(min_length=1, description=FILE)] = None
    retention: Annotated[int, Field(ge=90, le=36500, description="days, a whole number from 90 to 36500")] = (
        400
    )
    warn_free: Megabytes = 1000
    stop_free: Megabytes = 200

    @field_validator("mirror")
    @classmethod
    def _is_another_file(cls, mirror: str | None, info: ValidationInfo) -> str | None:
        if mirror is not None and mirror == info.data.get("path"):
            raise conflict("mirror", mirror, "already journal.path; allowed: another file, on another disk")
        return mirror

    @field_validator("stop_free")
    @classmethod
    def _comes_after_the_warning(cls, stop: int, info: ValidationInfo) -> int:
        warn = info.data.get("warn_free")
        if warn is not None and warn <= stop:
            fault = f"not allowed with stop_free = {stop}; allowed: a number above {stop}"
            raise conflict("warn_free", warn, fault)
        return stop

    def resolved(self, folder: Path) -> Self:
        return self._with_paths(folder, "path", "mirror", "key", "public", "seal")

    @property
    def seal_path(self) -> Path:
        """The file of the seal key: among the keys beside the public key, unless `seal` names another one.
        The folder of `key` may be that of the journal, where the seal key must not be."""
        return Path(self.seal) if self.seal else Path(self.public).parent / "keys" / "journal.seal"


class SelftestSection(Section):
    """`release`: the public key that must have signed the manifest, if there is such a file."""

    manifest: Annotated[str, Field(description=FILE)] = ""
    release: FilePath = "release.pub"

    def resolved(self, folder: Path) -> Self:
        return self._with_paths(folder, "manifest", "release")


class FlappingSection(Section):
    """When a device comes and goes too often: `losses` within `window` seconds hold it off for `hold`."""

    losses: Annotated[int, Field(ge=2, le=1000, description="a whole number from 2 to 1000")] = 5
    window: Seconds = 60
    hold: Seconds = 120

    def timing(self) -> ReconnectTiming:
        return ReconnectTiming(losses=self.losses, window=self.window, hold=self.hold)


class ReportsSection(Section):
    """Gaming days and shifts by the table's clock; `pause`: minutes without a round that count as one."""

    day_begins: Annotated[str, AfterValidator(_hour), Field(description=HOURS)] = "06:00"
    shifts: Annotated[
        tuple[str, ...],
        Field(strict=False, description='times of day, as ["06:00", "18:00"]', validate_default=True),
    ] = ("06:00", "14:00", "22:00")
    pause: Annotated[int, Field(ge=1, le=240, description="minutes, a whole number from 1 to 240")] = 10

    @field_validator("shifts")
    @classmethod
    def _are_in_order(cls, shifts: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        day_begins = info.data.get("day_begins")
        try:
            if day_begins:
                Calendar(day_begins, shifts)
        except ValueError:
            fault = (
                f"not allowed; allowed: times of day, the first one {day_begins}, "
                "each later than the one before"
            )
            raise conflict("shifts", shifts, fault) from None
        return shifts

    def settings(self, target: int, zone: str) -> ReportSettings:
        """`target`: rounds an hour; `zone`: the time zone of the clock."""
        return ReportSettings(Calendar(self.day_begins, self.shifts, zone), 60.0 * self.pause, target)


class Config(Section):
    """A whole table. Its keys are the sections of the file."""

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
    selftest: Annotated[SelftestSection, Field(description="a section with manifest and release")] = (
        SelftestSection()
    )
    flapping: Annotated[FlappingSection, Field(description="a section with losses, window and hold")] = (
        FlappingSection()
    )
    reports: Annotated[ReportsSection, Field(description="a section with day_begins, shifts and pause")] = (
        ReportsSection()
    )
    socket: Annotated[
        SocketSection, Field(description="a section with path, group, web_user, uplink_user and bridge_user")
    ] = SocketSection()
    uplink: Annotated[
        UplinkSection | None, Field(description="a section with property, table and servers")
    ] = None
    floor: Annotated[FloorSection, Field(description="a section with keys and offline_for")] = FloorSection()
    progressive: Annotated[ProgressiveSection, Field(description="a section with keys and levels")] = (
        ProgressiveSection()
    )
    bridge: Annotated[
        BridgeSection | None, Field(description="a section with table, and with mqtt or webhooks")
    ] = None
    devices: Annotated[DevicesSection, Field(description="a section for each device")]

    @property
    def report_settings(self) -> ReportSettings:
        return self.reports.settings(self.table.target, self.table.time_zone)
