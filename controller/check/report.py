"""The report on a configuration that has no faults."""

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
from controller.selftest.check import CorruptError, compare, describe
from controller.selftest.manifest import ManifestError

STOPPED = "Own files are not those that were installed and signed"


@dataclass(frozen=True, slots=True)
class ConfigReport:
    """The report on a configuration. `options` are those that differ from their defaults; `selftest` says
    whether the program's files are as installed; `warnings` are sentences."""

    config: Config
    game: Game
    options: dict[str, Any]
    edges: tuple[Edge, ...]
    warnings: tuple[str, ...]
    selftest: str


def check(config: Config, seconds: int) -> ConfigReport:
    """The report with the edge of every bet. If the main bet cannot be calculated exactly, it is simulated
    for `seconds`; with 0 it is left out."""
    game = open_game(config.table.game, config.options)
    seeds = {spot: config.jackpot.get(spot, JackpotSection()).seed for spot in game.meters}
    found = exact(game, seeds)
    played, refused = _played(game, seconds, found)
    edges = (*played, *found)
    selftest, faults = self_test(config)
    return ConfigReport(
        config,
        game,
        changed(game),
        edges,
        (*faults, *_unsealed(config), *refused, *warnings(edges)),
        selftest,
    )


def self_test(config: Config) -> tuple[str, tuple[str, ...]]:
    """Whether the program's files are as installed, in a sentence, and what is wrong with them. With a
    fault, a table does not start."""
    section = config.selftest
    try:
        return describe(compare(section.manifest, release=section.release)), ()
    except CorruptError as corrupt:
        faults = corrupt.findings
    except ManifestError as error:
        faults = (str(error),)
    return STOPPED, tuple(f"no table starts: {fault}" for fault in faults)


def _unsealed(config: Config) -> tuple[str, ...]:
    """A warning about a table that has the key of its journal, as older versions made it, but not the one
    that seals cards."""
    section = config.journal
    try:
        if not Path(section.public).exists() or section.seal_path.exists():
            return ()
    except OSError:  # only root may look into the folder of keys
        return ()
    return (
        f"journal.seal: {section.seal_path} is missing: a copy of the journal gives away the card that lies "
        "face down; tableside device provision journal makes the key",
    )


def changed(game: Game) -> dict[str, Any]:
    """The options that are set to a value other than their default."""
    chosen = game.options.model_dump(mode="json", exclude_unset=True)
    return {name: value for name, value in chosen.items() if value != _default(game, chosen, name)}


def report_json(file: Path, found: ConfigReport) -> dict[str, Any]:
    """The report on `file` as a JSON object."""
    return {
        "file": str(file),
        "table": found.config.table.model_dump(mode="json"),
        "options": found.options,
        "bets": [asdict(edge) for edge in found.edges],
        "selftest": found.selftest,
        "warnings": list(found.warnings),
        "faults": [],
    }


def _default(game: Game, chosen: dict[str, Any], name: str) -> object:
    """The default of option `name`, given the other options, because some defaults depend on them."""
    others = {key: value for key, value in chosen.items() if key != name}
    return open_game(game.name, others).options.model_dump(mode="json")[name]


def _played(game: Game, seconds: int, found: tuple[Edge, ...]) -> tuple[tuple[Edge, ...], tuple[str, ...]]:
    """The simulated edge of the main bet, and a warning if it cannot be simulated. Both are empty if no
    simulation is wanted or needed."""
    if not seconds or any(edge.bet == MAIN for edge in found):
        return (), ()
    try:
        return (simulated(main_bet(game, seconds)),), ()
    except EventRefused as refused:
        return (), (f"main: no round could be played: {refused}",)
