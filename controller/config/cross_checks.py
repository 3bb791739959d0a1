"""Faults of a configuration that no key has by itself: those of the game that is chosen, and of two keys
that do not go together.

What is wrong with a configuration's jackpots beyond a single key, each as a sentence.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.calendar import Calendar
from controller.config.web import web_faults
from controller.games import GAMES, open_game
from controller.games.game import Game
from controller.games.options import BadOptions
from controller.money import percent
from controller.table.record.rules import Bank, Progressive

Section = Mapping[str, Any]

AMOUNTS = ("seed", "reset")
"""What a limit may not be under."""


def faults(jackpots: Section) -> Iterator[str]:
    """Of the sections of all jackpots, as they were written."""
    for spot, section in jackpots.items():
        fed = section if isinstance(section, dict) else {}
        yield from _share_faults(spot, fed)
        yield from _limit_faults(spot, fed)


def _share_faults(spot: str, fed: Section) -> Iterator[str]:
    """More of a stake for a jackpot than there is."""
    plain = Progressive()
    contribution = fed.get("contribution", plain.contribution)
    reserve = fed.get("reserve", plain.reserve)
    try:
        together = percent(contribution) + percent(reserve)
    except (TypeError, ValueError):
        return  # told of the one that is none
    if together > 1:
        yield (
            f'jackpot.{spot}.contribution = "{contribution}": not allowed with '
            f'reserve = "{reserve}"; allowed: together at most 100%'
        )


def _limit_faults(spot: str, fed: Section) -> Iterator[str]:
    """A limit that the jackpot begins above."""
    limit = fed.get("limit")
    for name in AMOUNTS:
        cents = fed.get(name, Progressive().seed if name == "seed" else None)
        if isinstance(limit, int) and isinstance(cents, int) and limit < cents:
            yield (
                f"jackpot.{spot}.limit = {limit}: not allowed with {name} = {cents}; "
                f"allowed: {cents} or more, or no limit"
            )


CALENDAR = ("day_begins", "shifts", "zone")
"""Keys of a section that say together when days and shifts begin."""
THIRD_PARTY: Bank = "third party"
ROTATING: Bank = "rotating"


def further_faults(raw: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each fault of a parsed document, whatever else is wrong with it."""
    if game := _game(raw):
        yield from _option_faults(raw, game)
        yield from _bank_faults(raw, game)
        yield from _jackpot_faults(raw, game)
    yield from faults(_section(raw, "jackpot"))
    yield from _space_faults(raw)
    yield from _mirror_faults(raw)
    yield from web_faults(_section(raw, "web"))
    yield from _calendar_faults(raw)
    yield from _same_faults(raw, "port")
    yield from _same_faults(raw, "serial")


def toml_text(value: object) -> str:
    """As TOML writes it, near enough to be found again."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _game(raw: Mapping[str, Any]) -> Game | None:
    """The game that is named, with no options; None where it is not clear which."""
    name = _section(raw, "table").get("game")
    return open_game(name) if isinstance(name, str) and name in GAMES else None


def _section(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """What stands under a name, if it is a section."""
    found = raw.get(name)
    return found if isinstance(found, dict) else {}


def _option_faults(raw: Mapping[str, Any], game: Game) -> Iterator[str]:
    """What the game itself says of its options."""
    try:
        open_game(game.name, _section(raw, "options"))
    except BadOptions as error:
        for fault in error.faults:
            yield f"options.{fault.key} = {toml_text(fault.value)}: not allowed; allowed: {fault.allowed}"


def _bank_faults(raw: Mapping[str, Any], game: Game) -> Iterator[str]:
    """A bank that goes round where the house banks."""
    if _section(raw, "table").get("bank") == ROTATING and not game.player_banked:
        yield (
            f'table.bank = "{ROTATING}": not allowed; '
            f'allowed: "{THIRD_PARTY}", for {game.name} is banked by the house'
        )


def _jackpot_faults(raw: Mapping[str, Any], game: Game) -> Iterator[str]:
    """A jackpot that the game does not have."""
    for spot in _section(raw, "jackpot").keys() - set(game.meters):
        known = ", ".join(game.meters) or f"none, for {game.name} has no jackpot"
        yield f"jackpot.{spot}: unknown key; allowed here: {known}"


def _space_faults(raw: Mapping[str, Any]) -> Iterator[str]:
    """A warning that comes when it is too late."""
    journal = _section(raw, "journal")
    warn, stop = journal.get("warn_free", 1000), journal.get("stop_free", 200)
    if isinstance(warn, int) and isinstance(stop, int) and warn <= stop:
        yield (
            f"journal.warn_free = {warn}: not allowed with stop_free = {stop}; allowed: a number above {stop}"
        )


def _mirror_faults(raw: Mapping[str, Any]) -> Iterator[str]:
    """A mirror that is the journal itself."""
    journal = _section(raw, "journal")
    mirror = journal.get("mirror")
    if mirror is not None and mirror == journal.get("path"):
        fault = f"journal.mirror = {toml_text(mirror)}: already journal.path"
        yield f"{fault}; allowed: another file, on another disk"


def _calendar_faults(raw: Mapping[str, Any]) -> Iterator[str]:
    """Shifts that are not in order, times of day and a zone that there are not."""
    given = {name: value for name, value in _section(raw, "reports").items() if name in CALENDAR}
    if "shifts" in given and isinstance(given["shifts"], list):
        given["shifts"] = tuple(given["shifts"])
    try:
        Calendar(**given)
    except ValueError as error:
        yield f"reports: {error}"
    except TypeError:
        return  # a value of another type is named by its key


def _same_faults(raw: Mapping[str, Any], key: str) -> Iterator[str]:
    """One fault for each device that has another's port or serial number."""
    first: dict[str, str] = {}
    for name, value in _values(raw, key):
        other = first.setdefault(_same(value), name)
        if other != name:
            yield (
                f'devices.{name}.{key} = "{value}": already that of devices.{other}; '
                f"allowed: one that no other device has"
            )


def _values(raw: Mapping[str, Any], key: str) -> Iterator[tuple[str, str]]:
    for name, device in _section(raw, "devices").items():
        if isinstance(device, dict) and isinstance(device.get(key), str):
            yield name, device[key]


def _same(value: str) -> str:
    """One text for all spellings of a port, links followed."""
    return str(Path(value).resolve()) if value.startswith("/") else value
