"""The rules without a table: how fast rounds are settled and simulated, and how long exact odds take."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

from controller.games import GAMES, open_game
from controller.odds import exact
from controller.odds.playthrough import Player
from controller.odds.simulate import JACKPOT, engine_for, play
from controller.round.settle import settle

ROUNDS = Path(__file__).parents[1] / "tests" / "rounds"
PLAYED = 2000
"""Rounds of each measurement."""
KERNEL_PLAYED = 1_000_000
"""The same for the kernel."""
RUNS = 5
MOST_DECKS = {"no-bust-21st-century": 5, "pure-21-5": 5}
EIGHT_DECKS = 8


@dataclass(frozen=True, slots=True)
class Speeds:
    """Medians of one game: rounds a second and core (by the Round, and by the kernel), and seconds for the
    odds of all its bets."""

    game: str
    settled: float
    played: float
    kernel: float
    odds: float


def measure() -> tuple[Speeds, ...]:
    return tuple(Speeds(game, _settled(game), _played(game), _kernel(game), _odds(game)) for game in GAMES)


def _settled(game: str) -> float:
    """Rounds a second, of hand-made rounds with one seat, as lines of JSON."""
    recorded = [
        json.loads(line)["round"] for line in (ROUNDS / f"{game}.jsonl").read_text("utf-8").splitlines()
    ]
    alone = [json.dumps(each) for each in recorded if len(each.get("wagers") or ()) == 1]
    lines = [line for line in alone if "error" not in settle(line)]
    lines *= PLAYED // len(lines) + 1
    return len(lines) / _seconds(lambda: [settle(line) for line in lines])


def _played(game: str) -> float:
    opened = open_game(game)
    player = Player(opened, dict.fromkeys(opened.meters, JACKPOT))
    return PLAYED / _seconds(lambda: play(player, PLAYED, "bench"))


def _kernel(game: str) -> float:
    ready = engine_for(open_game(game)).ready()
    return KERNEL_PLAYED / _seconds(lambda: ready(KERNEL_PLAYED, "bench"))


def _odds(game: str) -> float:
    """Seconds for all bets, with eight decks or the most that the game allows."""
    opened = open_game(game, {"decks": MOST_DECKS.get(game, EIGHT_DECKS)})
    return _seconds(lambda: exact.bets(opened), runs=1)


def _seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """The median of some runs, by the processor's clock."""
    times = []
    for _ in range(runs):
        begun = process_time()
        work()
        times.append(process_time() - begun)
    return median(times)
