"""What is found in a configuration that has no faults."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from controller.check.edges import Edge, exact, simulated, warnings
from controller.check.simulated import main_bet
from controller.config import Config, JackpotSection
from controller.games import open_game
from controller.games.game import Game
from controller.odds.tally import MAIN
from controller.round.events import EventRefused


@dataclass(frozen=True, slots=True)
class ConfigReport:
    """A configuration: `options` are those that differ from their defaults, `warnings` a sentence each."""

    config: Config
    game: Game
    options: dict[str, Any]
    edges: tuple[Edge, ...]
    warnings: tuple[str, ...]


def check(config: Config, seconds: int) -> ConfigReport:
    """Every bet's edge; a main bet that is not worked out exactly is played for `seconds`, or not for 0."""
    game = open_game(config.table.game, config.options)
    seeds = {spot: config.jackpot.get(spot, JackpotSection()).seed for spot in game.meters}
    found = exact(game, seeds)
    played, refused = _played(game, seconds, found)
    edges = (*played, *found)
    return ConfigReport(config, game, changed(game), edges, (*refused, *warnings(edges)))


def changed(game: Game) -> dict[str, Any]:
    """The options that are set to something else than they would be without being set."""
    chosen = game.options.model_dump(mode="json", exclude_unset=True)
    return {name: value for name, value in chosen.items() if value != _default(game, chosen, name)}


def report_json(file: Path, found: ConfigReport) -> dict[str, Any]:
    """As one JSON object."""
    return {
        "file": str(file),
        "table": found.config.table.model_dump(mode="json"),
        "options": found.options,
        "bets": [asdict(edge) for edge in found.edges],
        "warnings": list(found.warnings),
        "faults": [],
    }


def _default(game: Game, chosen: dict[str, Any], name: str) -> object:
    """Some defaults follow from other options."""
    others = {key: value for key, value in chosen.items() if key != name}
    return open_game(game.name, others).options.model_dump(mode="json")[name]


def _played(game: Game, seconds: int, found: tuple[Edge, ...]) -> tuple[tuple[Edge, ...], tuple[str, ...]]:
    """The main bet by play, and what stands in the way of playing."""
    if not seconds or any(edge.bet == MAIN for edge in found):
        return (), ()
    try:
        return (simulated(main_bet(game, seconds)),), ()
    except EventRefused as refused:
        return (), (f"main: no round could be played: {refused}",)
