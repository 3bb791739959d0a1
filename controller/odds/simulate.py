"""Rounds by the million or billion, each from a fresh shoe, on all processors. A seed gives the same rounds
on any number of processors.

The kernel plays them where its tables cover the game, else the Round does.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from os import sched_getaffinity
from random import Random
from time import process_time
from typing import Any, Literal

from controller.games import open_game
from controller.games.game import Game
from controller.games.strategy import Chart
from controller.odds.kernel.kernel import Kernel
from controller.odds.kernel.rule_tables import RuleTables, rule_tables
from controller.odds.kernel.uncovered import NotCovered
from controller.odds.playthrough import Player, ShuffledShoe
from controller.odds.tally import BetTallies, BetTally

EngineName = Literal["kernel", "round"]

PORTIONS: Mapping[EngineName, int] = {"kernel": 1_000_000, "round": 5000}
"""Rounds that share a random source, and that one processor plays."""
JACKPOT = 1_000_000
"""Cents that a jackpot displays in every round unless `meters` says otherwise: the default seed."""
ASKED = "the Round was asked for"


@dataclass(frozen=True, slots=True)
class Engine:
    """What plays the rounds; it can be sent to other processes. `rules` are the tables of the kernel; without
    them the Round plays, and `why` says why. `opened` makes the game."""

    game: str
    options: Mapping[str, Any]
    charts: Mapping[str, Chart]
    meters: Mapping[str, int]
    rules: RuleTables | None
    why: str = ""
    opened: Callable[[str, Mapping[str, Any]], Game] = open_game

    @property
    def name(self) -> EngineName:
        return "kernel" if self.rules else "round"

    def player(self) -> Player:
        game = self.opened(self.game, self.options)
        game.charts = self.charts
        return Player(game, self.meters)

    def ready(self) -> Callable[[int, str], BetTallies]:
        """A function that plays some rounds from a seed."""
        player = self.player()
        if self.rules is None:
            return lambda rounds, seed: play(player, rounds, seed)
        kernel = Kernel(player, self.rules)
        kernel.count(0)  # loads or makes the machine code
        return lambda rounds, seed: _count(kernel, rounds, seed)


@dataclass(frozen=True, slots=True)
class Simulation:
    """The tallies of every bet. `cpu_seconds`: what the rounds took, all processors added up."""

    tallies: tuple[BetTally, ...]
    engine: Engine
    rounds: int
    cpu_seconds: float

    @property
    def rounds_per_cpu_second(self) -> float:
        return self.rounds / self.cpu_seconds if self.cpu_seconds else 0.0


def simulate(
    game: Game,
    rounds: int,
    seed: int,
    *,
    meters: Mapping[str, int] | None = None,
    processors: int | None = None,
    engine: EngineName = "kernel",
    progress: Callable[[int], None] = lambda _: None,
) -> Simulation:
    """Plays `rounds` rounds of one seat.

    `meters`: jackpots in cents by spot. `processors`: None for all. `engine`: what is wanted; the Round plays
    what the kernel does not cover. `progress` is called with the number of further rounds that were played.
    Raises EventRefused if no stake fits the options.
    """
    chosen = engine_for(game, meters, engine=engine)
    totals, seconds = BetTallies(), 0.0
    portions = list(_portions(rounds, seed, PORTIONS[chosen.name]))
    for size, tallies, took in _portion_tallies(chosen, portions, processors or len(sched_getaffinity(0))):
        totals.merge(tallies)
        seconds += took
        progress(size)
    return Simulation(totals.all(), chosen, rounds, seconds)


def engine_for(
    game: Game,
    meters: Mapping[str, int] | None = None,
    *,
    engine: EngineName = "kernel",
    opened: Callable[[str, Mapping[str, Any]], Game] = open_game,
) -> Engine:
    """The kernel if it is wanted and covers the game, else the Round. `opened` must open the same game."""
    shown = dict.fromkeys(game.meters, JACKPOT) | dict(meters or {})
    rules, why = None, ASKED
    if engine == "kernel":
        try:
            player = Player(game, shown)
            rules, why = rule_tables(player), ""
            Kernel(player, rules)
        except NotCovered as not_covered:
            rules, why = None, str(not_covered)
    chosen = game.options.model_dump(mode="json", exclude_unset=True)
    return Engine(game.name, chosen, game.charts, shown, rules, why, opened)


def _portions(rounds: int, seed: int, most: int) -> Iterator[tuple[int, str]]:
    """Numbers of rounds, and the seed of their cards."""
    for number, before in enumerate(range(0, rounds, most)):
        yield min(most, rounds - before), f"{seed}/{number}"


def _portion_tallies(
    engine: Engine, portions: list[tuple[int, str]], processors: int
) -> Iterator[tuple[int, BetTallies, float]]:
    """Number of rounds, tallies, and processor time of each portion."""
    if min(len(portions), processors) == 1:
        ready = engine.ready()
        yield from ((size, *_timed(ready, size, seed)) for size, seed in portions)
        return
    with ProcessPoolExecutor(processors, get_context("spawn"), start_worker, (engine,)) as pool:
        sizes, seeds = zip(*portions, strict=True)
        for size, (tallies, took) in zip(sizes, pool.map(work, sizes, seeds), strict=True):
            yield size, tallies, took


def play(player: Player, rounds: int, seed: str) -> BetTallies:
    """Rounds of the Round whose cards one seed shuffles."""
    tallies, shoe = BetTallies(), ShuffledShoe(player.game.options.decks, Random(seed))
    for _ in range(rounds):
        player.count(player.play(shoe.fresh()), tallies)
    return tallies


def _count(kernel: Kernel, rounds: int, seed: str) -> BetTallies:
    kernel.shuffle(seed)
    return kernel.count(rounds)


def _timed(ready: Callable[[int, str], BetTallies], rounds: int, seed: str) -> tuple[BetTallies, float]:
    begun = process_time()
    return ready(rounds, seed), process_time() - begun


_ready: dict[str, Callable[[int, str], BetTallies]] = {}
"""What a worker process plays with."""


def start_worker(engine: Engine) -> None:
    """Makes a process ready to `work`."""
    _ready["here"] = engine.ready()


def work(rounds: int, seed: str) -> tuple[BetTallies, float]:
    """The tallies of some rounds, and their processor time, in a process that is ready."""
    return _timed(_ready["here"], rounds, seed)
