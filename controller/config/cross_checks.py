"""Faults between sections: those that depend on the chosen game, and devices that share an identity.

They are looked for in the document as it is written, because a section with another fault has no model.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.config.faults import Fault, suggestion
from controller.config.section import CURRENCY, toml_text
from controller.games import UnknownGame, open_game
from controller.games.game import Game
from controller.games.option_faults import BadOptions
from controller.text.choices import nearest

Document = Mapping[str, Any]


def cross_section_faults(document: Document) -> Iterator[Fault]:
    """Each fault, whatever else is wrong with the document."""
    if game := _known_game(_section(document, "table").get("game")):
        yield from _option_faults(document, game.name)
        yield from _jackpot_faults(document, game)
        yield from _currency_faults(document, game)
    yield from _level_faults(document)
    yield from _shared_faults(document, "port")
    yield from _shared_faults(document, "serial")


def _known_game(name: object) -> Game | None:
    """The game with its default options. None if the section `table` has a fault about it."""
    try:
        return open_game(name) if isinstance(name, str) else None
    except UnknownGame:
        return None


def _section(document: Document, name: str) -> Document:
    found = document.get(name)
    return found if isinstance(found, dict) else {}


def _option_faults(document: Document, game: str) -> Iterator[Fault]:
    try:
        open_game(game, _section(document, "options"))
    except BadOptions as error:
        for fault in error.faults:
            key = f"options.{fault.key}"
            sentence = f"{key} = {toml_text(fault.value)}: not allowed; allowed: {fault.allowed}"
            yield Fault(f"{sentence}{suggestion(fault.nearest)}", (tuple(key.split(".")),))


def _jackpot_faults(document: Document, game: Game) -> Iterator[Fault]:
    known = ", ".join(game.meters) or f"none, because {game.name} has no jackpot"
    jackpots = ((("jackpot",), spot) for spot in _section(document, "jackpot"))
    levels = _section(_section(document, "progressive"), "levels")
    for section, spot in (*jackpots, *((("progressive", "levels"), spot) for spot in levels)):
        if spot not in game.meters:
            place = (*section, spot)
            sentence = f"{'.'.join(place)}: unknown key; allowed here: {known}"
            yield Fault(f"{sentence}{suggestion(nearest(spot, game.meters))}", (place,))


def _currency_faults(document: Document, game: Game) -> Iterator[Fault]:
    """A jackpot is money that the table owes its players."""
    if game.meters and "currency" not in _section(document, "table"):
        sentence = f"table.currency is missing, with the jackpot {game.meters[0]}; needed: {CURRENCY}"
        yield Fault(sentence, (("table", "currency"), ("table", "game")))


def _level_faults(document: Document) -> Iterator[Fault]:
    """Amounts come through the uplink."""
    if _section(_section(document, "progressive"), "levels") and not _section(document, "uplink"):
        sentence = (
            "uplink is missing, with progressive.levels; needed: a section with property, table and servers"
        )
        yield Fault(sentence, (("uplink",), ("progressive", "levels")))


def _shared_faults(document: Document, key: str) -> Iterator[Fault]:
    """A fault for each device that has the port or the serial number of another one."""
    first: dict[str, str] = {}
    for name, device in _section(document, "devices").items():
        value = device.get(key) if isinstance(device, dict) else None
        if isinstance(value, str) and (other := first.setdefault(_resolved(value), name)) != name:
            sentence = (
                f'devices.{name}.{key} = "{value}": already that of devices.{other}; '
                "allowed: one that no other device has"
            )
            yield Fault(sentence, (("devices", name, key),))


def _resolved(value: str) -> str:
    """The same text for all paths of a port, symbolic links included."""
    return str(Path(value).resolve()) if value.startswith("/") else value
