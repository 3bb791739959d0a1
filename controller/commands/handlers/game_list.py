"""What `tableside game list` does."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import typer
from rich.console import Console
from rich.table import Table

from controller.commands.arguments import print_json
from controller.games import GAMES, UnknownGame, open_game
from controller.games.bets.added import bet_class
from controller.games.plugins import BETS_GROUP, GAMES_GROUP, Plugin, PluginError, installed
from controller.process.faults import FAILED

PRODUCT = "tableside"


@dataclass(frozen=True, slots=True)
class Listed:
    """`kind`: "game" or "side bet". `provider`: the distribution with its version. `fault`: why it cannot be
    used; empty if it can."""

    name: str
    kind: str
    title: str
    provider: str
    fault: str = ""


def handle(as_json: bool) -> None:
    found = tuple(listed())
    if as_json:
        print_json([asdict(each) for each in found])
    else:
        _print(found)
    raise typer.Exit(FAILED if any(each.fault for each in found) else 0)


def listed() -> Iterator[Listed]:
    """The games of Tableside, then each plug-in."""
    for name in GAMES:
        yield Listed(name, "game", open_game(name).title, PRODUCT)
    for plugins in installed(GAMES_GROUP).values():
        yield from map(_game, plugins)
    for plugins in installed(BETS_GROUP).values():
        yield from map(_bet, plugins)


def _game(plugin: Plugin) -> Listed:
    title, fault = "", ""
    try:
        if plugin.name in GAMES:
            raise plugin.fault(f"the name of a game of Tableside; allowed: none of {', '.join(GAMES)}")
        title = open_game(plugin.name).title
    except (PluginError, UnknownGame) as error:
        fault = str(error)
    return Listed(plugin.name, "game", title, plugin.provider, fault)


def _bet(plugin: Plugin) -> Listed:
    title, fault = "", ""
    try:
        title = ", ".join(bet_class(plugin.name).spots)
    except PluginError as error:
        fault = str(error)
    return Listed(plugin.name, "side bet", title, plugin.provider, fault)


def _print(found: tuple[Listed, ...]) -> None:
    table = Table("id", "kind", "title or spots", "from")
    for each in found:
        table.add_row(each.name, each.kind, each.title, each.provider)
    console = Console(markup=False, highlight=False)
    console.print(table)
    for each in found:
        if each.fault:
            console.print(f"not usable: {each.fault}")
