"""Prints how fast other projects play, beside ours, as ratios of one run."""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.processors import take_one
from controller.games import GAMES, open_game
from controller.odds.playthrough import Player, ShuffledShoe
from controller.odds.simulate import JACKPOT
from tests.fixtures.random_crew import Chance

ROOT = Path(__file__).parents[2]
PASSES = 5
ROUNDS = 5000
EVENTS = 2000
SIMULATED = 1_000_000
SEED = 1
CREW_GAME = "blackjack-x"
ENDED = frozenset({"over", "void"})
REFERENCE = "open_spiel"
RATE = "rounds_per_cpu_second"
ENGINE = "engine"


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass through everything: rounds a cpu-second by who plays what, and seconds by kind of step."""

    rates: dict[tuple[str, str], float]
    steps: dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers")
    parser.add_argument("--peers", type=Path, required=True, help="the Python that has the peers")
    arguments = parser.parse_args()
    take_one()
    passes = [_pass(arguments.peers) for _ in range(PASSES)]
    console = Console()
    console.print(_rates(passes))
    console.print(_steps(passes))


def _pass(peers: Path) -> Pass:
    """Ours and theirs in turns, so that other work on the machine affects both alike."""
    theirs = _printed(str(peers), "-m", "benchmarks.peers.play")
    rates = {
        (f"{name} {found['version']}", found["what"]): found[RATE] for name, found in theirs["played"].items()
    }
    steps = {
        f"Mission Pinball {theirs['mpf']['version']}, {name}": median(seconds)
        for name, seconds in theirs["mpf"]["seconds"].items()
    }
    for game in GAMES:
        rates["Tableside, the Round", game] = _round(game)
        rates |= _simulated(game)
    return Pass(rates, steps | {"Tableside, an event of a round": _event()})


def _round(game: str) -> float:
    """Rounds a cpu-second of the Round that runs the table, with every bet, splits and doubles."""
    player, shoe = _player(game)
    begun = process_time()
    for _ in range(ROUNDS):
        player.play(shoe.fresh())
    return ROUNDS / (process_time() - begun)


def _simulated(game: str) -> dict[tuple[str, str], float]:
    """What `tableside game simulate` says of its own speed; nothing if it does not say it."""
    command = ("-m", "controller", "game", "simulate", game, "--rounds", str(ROUNDS), "--seed", "1", "--json")
    quick = _printed(sys.executable, *command)
    if RATE not in quick:
        return {}
    if quick.get(ENGINE, "round") != "round":  # its own start must not count
        quick = _printed(
            sys.executable, *(str(SIMULATED) if word == str(ROUNDS) else word for word in command)
        )
    return {(f"Tableside, game simulate, {quick.get(ENGINE, 'round')}", game): float(quick[RATE])}


def _event() -> float:
    """The median seconds in which the Round handles an event, with four seats that play at random."""
    crew, taken = Chance(CREW_GAME, 1), list[float]()
    while len(taken) < EVENTS:
        if crew.round.phase in ENDED:
            crew.round = crew.round.fresh()
            for wager in crew.wagers():
                crew.round.handle(wager)
        event = crew.sensible()
        begun = perf_counter()
        crew.round.handle(event)
        taken.append(perf_counter() - begun)
    return median(taken)


def _printed(*command: str) -> dict[str, Any]:
    """The JSON that a command prints."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _player(game: str) -> tuple[Player, ShuffledShoe]:
    opened = open_game(game)
    player = Player(opened, dict.fromkeys(opened.meters, JACKPOT))
    return player, ShuffledShoe(opened.options.decks, Random(SEED))


def _rates(passes: list[Pass]) -> Table:
    """With the ratio to open_spiel's blackjack, the fastest of the others."""
    table = Table("who", "what", "rounds a cpu-second", "/ open_spiel", title=f"Rounds, median of {PASSES}")
    for who, what in passes[0].rates:
        rates = [each.rates[who, what] for each in passes]
        ratios = [rate / _of(each, REFERENCE) for rate, each in zip(rates, passes, strict=True)]
        table.add_row(who, what, f"{median(rates):,.0f}", f"{median(ratios):.2f}")
    return table


def _of(one: Pass, name: str) -> float:
    return next(rate for (who, _), rate in one.rates.items() if who.startswith(name))


def _steps(passes: list[Pass]) -> Table:
    """Without hardware, wire and disk."""
    table = Table("one step, in memory", "microseconds", title=f"Single steps, median of {PASSES} medians")
    for name in passes[0].steps:
        table.add_row(name, f"{median(each.steps[name] for each in passes) * 1e6:.1f}")
    return table


if __name__ == "__main__":
    main()
