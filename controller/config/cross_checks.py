"""Faults between sections: those that depend on the chosen game, and devices that share an identity.

They are looked for in the document as it is written, because a section with another fault has no model.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.config.section import toml_text
from controller.games import GAMES, open_game
from controller.games.game import Game
from controller.games.options import BadOptions

Document = Mapping[str, Any]


def cross_section_faults(document: Document) -> Iterator[str]:
    """A sentence for each fault, whatever else is wrong with the document."""
    name = _section(document, "table").get("game")
    if isinstance(name, str) and name in GAMES:
        yield from _option_faults(document, name)
        yield from _jackpot_faults(document, open_game(name))
    yield from _level_faults(document)
    yield from _shared_faults(document, "port")
    yield from _shared_faults(document, "serial")


def _section(document: Document, name: str) -> Document:
    found = document.get(name)
    return found if isinstance(found, dict) else {}


def _option_faults(document: Document, game: str) -> Iterator[str]:
    try:
        open_game(game, _section(document, "options"))
    except BadOptions as error:
        for fault in error.faults:
            yield f"options.{fault.key} = {toml_text(fault.value)}: not allowed; allowed: {fault.allowed}"


def _jackpot_faults(document: Document, game: Game) -> Iterator[str]:
    known = ", ".join(game.meters) or f"none, because {game.name} has no jackpot"
    for spot in _section(document, "jackpot"):
        if spot not in game.meters:
            yield f"jackpot.{spot}: unknown key; allowed here: {known}"
    for spot in _section(_section(document, "progressive"), "levels"):
        if spot not in game.meters:
            yield f"progressive.levels.{spot}: unknown key; allowed here: {known}"


def _level_faults(document: Document) -> Iterator[str]:
    """Amounts come through the uplink."""
    if _section(_section(document, "progressive"), "levels") and not _section(document, "uplink"):
        yield "uplink is missing, with progressive.levels; needed: a section with property, table and servers"


def _shared_faults(document: Document, key: str) -> Iterator[str]:
    """A fault for each device that has the port or the serial number of another one."""
    first: dict[str, str] = {}
    for name, device in _section(document, "devices").items():
        value = device.get(key) if isinstance(device, dict) else None
        if isinstance(value, str) and (other := first.setdefault(_resolved(value), name)) != name:
            yield (
                f'devices.{name}.{key} = "{value}": already that of devices.{other}; '
                "allowed: one that no other device has"
            )


def _resolved(value: str) -> str:
    """The same text for all paths of a port, symbolic links included."""
    return str(Path(value).resolve()) if value.startswith("/") else value
