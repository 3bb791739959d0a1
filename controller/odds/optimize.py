"""Finds letters of a game's charts that can be bettered.

Each round is played by the charts, and again with the same cards for every other action that each of its
decisions allows; after that decision the charts play on. The difference between two plays of the same cards
varies much less than either. A letter is better if its mean gain is more than SIGNIFICANT standard errors;
there are some hundred cells with several letters each, so a smaller number would find gains where there are
none. Only the main bet counts.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from multiprocessing import get_context
from os import sched_getaffinity
from typing import Any

from controller.games import open_game
from controller.games.game import Game
from controller.games.strategy import KEYS, Chart
from controller.odds.charts import ChartCell, cells_at
from controller.odds.kernel.kernel import PORTION, Kernel, Tries
from controller.odds.kernel.player_hands import ACTIONS, PlayerHands
from controller.odds.kernel.rule_tables import RuleTables
from controller.odds.kernel.uncovered import NotCovered
from controller.odds.simulate import Engine, engine_for

SIGNIFICANT = 4.5
"""Standard errors that a gain must have."""
LEAST_TIMES = 1000
"""Decisions in which another letter must have been tried: with fewer, the standard error means little."""
MOST_PASSES = 4
"""How often all letters are tried: a better one can make another one better."""

Progress = Callable[[str, int], None]
"""Is called with what is done, and the number of further rounds that were played."""


@dataclass(slots=True)
class Gain:
    """What another play gained over `times` decisions or rounds, in stakes."""

    times: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, times: int, total: float, squares: float) -> None:
        self.times += times
        self.total += total
        self.squares += squares

    @property
    def mean(self) -> float:
        return self.total / self.times if self.times else 0.0

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        if self.times < 2:
            return 0.0
        return sqrt(max(self.squares / self.times - self.mean**2, 0.0) / (self.times - 1))


@dataclass(frozen=True, slots=True)
class BetterLetter:
    """A letter that can be bettered. `gain` is that of the decisions in which the two letters differ."""

    cell: ChartCell
    letter: str
    better: str
    gain: Gain
    rounds: int

    @property
    def per_round(self) -> float:
        """The mean gain of a round in stakes."""
        return self.gain.total / self.rounds


@dataclass(frozen=True, slots=True)
class Optimized:
    """`gain`: what `charts` gain over those of the game in a round; both played the same cards."""

    charts: Mapping[str, Chart]
    better: tuple[BetterLetter, ...]
    gain: Gain


def optimize(
    game: Game, rounds: int, seed: int, *, processors: int | None = None, progress: Progress = lambda *_: None
) -> Optimized:
    """Tries every letter of the game's charts in `rounds` rounds, applies what is better and tries again;
    then compares the result with the game's charts in as many rounds.

    Raises NotCovered, and EventRefused if no stake fits the options.
    """
    if not game.charts:
        raise NotCovered(f"{game.name} has no charts")
    workers = processors or len(sched_getaffinity(0))
    before = engine = _engine(game, game.charts)
    found: dict[ChartCell, BetterLetter] = {}
    for number in range(1, MOST_PASSES + 1):
        tries = TryAll(engine, tuple(PlayerHands(engine.player()).allowed()))
        tried = _summed(_play(tries, rounds, seed, f"pass {number}", workers, progress))
        better = list(_better(engine, rounds, tried))
        if not better:
            break
        found |= {each.cell: each for each in better}
        engine = _engine(game, _changed(engine.charts, better))
    gain = Gain()
    if found:
        unit = _rules(before).unit / before.player().staked
        compare = Compare(before, tuple(_rules(engine).tables.action))
        for size, (total, squares) in _play(compare, rounds, seed, "old and new", workers, progress):
            gain.add(size, total * unit, squares * unit**2)
    return Optimized(engine.charts, tuple(sorted(found.values(), key=_per_round, reverse=True)), gain)


@dataclass(frozen=True, slots=True)
class TryAll:
    """Work for several processes: tries every action that `allowed` has, as the loop takes it."""

    engine: Engine
    allowed: tuple[int, ...]

    def ready(self) -> Callable[[int, str], Tries]:
        kernel = _kernel(self.engine)

        def tries(rounds: int, seed: str) -> Tries:
            kernel.shuffle(seed)
            return kernel.try_others(rounds, self.allowed)

        return tries


@dataclass(frozen=True, slots=True)
class Compare:
    """Work for several processes: compares the engine's play with that of another table of actions."""

    engine: Engine
    actions: tuple[int, ...]

    def ready(self) -> Callable[[int, str], tuple[int, int]]:
        kernel = _kernel(self.engine)

        def gain(rounds: int, seed: str) -> tuple[int, int]:
            kernel.shuffle(seed)
            return kernel.gain_of(self.actions, rounds)

        return gain


def _engine(game: Game, charts: Mapping[str, Chart]) -> Engine:
    """The kernel of a player by these charts; raises NotCovered."""
    player = open_game(game.name, game.options.model_dump(mode="json", exclude_unset=True))
    player.charts = charts
    engine = engine_for(player)
    if not engine.rules:
        raise NotCovered(engine.why)
    return engine


def _rules(engine: Engine) -> RuleTables:
    if engine.rules is None:
        raise AssertionError("an engine without tables is never optimized")
    return engine.rules


def _kernel(engine: Engine) -> Kernel:
    return Kernel(engine.player(), _rules(engine))


def _play(
    job: "TryAll | Compare", rounds: int, seed: int, stage: str, workers: int, progress: Progress
) -> Iterator[tuple[int, Any]]:
    """Number of rounds and result of each portion."""
    sizes = [min(PORTION, rounds - before) for before in range(0, rounds, PORTION)]
    seeds = [f"{seed}/{stage}/{number}" for number in range(len(sizes))]
    for size, result in zip(sizes, _results(job, sizes, seeds, workers), strict=True):
        progress(stage, size)
        yield size, result


def _results(
    job: "TryAll | Compare", sizes: Sequence[int], seeds: Sequence[str], workers: int
) -> Iterator[Any]:
    if min(workers, len(sizes)) == 1:
        yield from map(job.ready(), sizes, seeds)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), start_worker, (job,)) as pool:
        yield from pool.map(work, sizes, seeds)


_ready: dict[str, Callable[[int, str], Any]] = {}
"""What a worker process works with."""


def start_worker(job: "TryAll | Compare") -> None:
    """Makes a process ready to `work`."""
    _ready["here"] = job.ready()


def work(rounds: int, seed: str) -> Any:
    """The result of some rounds, in a process that is ready."""
    return _ready["here"](rounds, seed)


def _summed(portions: Iterable[tuple[int, Tries]]) -> Tries:
    sums: Tries = {}
    for _, tries in portions:
        for key, numbers in tries.items():
            times, total, squares = sums.get(key, (0, 0, 0))
            sums[key] = times + numbers[0], total + numbers[1], squares + numbers[2]
    return sums


def _better(engine: Engine, rounds: int, tries: Tries) -> Iterator[BetterLetter]:
    """The best other letter of each cell, where it is significantly better."""
    for cell, gains in _by_letter(engine, tries).items():
        now = engine.charts[cell.part].rows[cell.row][cell.column]
        most = max(gain.total for gain in gains.values())
        letter = _kindred(now, [letter for letter, gain in gains.items() if gain.total == most])
        gain = gains[letter]
        if gain.times >= LEAST_TIMES and gain.mean > SIGNIFICANT * gain.standard_error:
            yield BetterLetter(cell, now, letter, gain, rounds)


def _kindred(now: str, letters: Sequence[str]) -> str:
    """Of letters that do the same, one that goes on as the letter before did where its first key is not
    allowed: r and not R in place of S."""
    kindred = (letter for letter in letters if KEYS[letter][1:2] == KEYS[now][:1])
    return next(kindred, letters[0])


def _by_letter(engine: Engine, tries: Tries) -> dict[ChartCell, dict[str, Gain]]:
    """What each letter would gain in each cell."""
    player = engine.player()
    unit = _rules(engine).unit / player.staked
    found: dict[ChartCell, dict[str, Gain]] = defaultdict(lambda: defaultdict(Gain))
    for decision, place, choices in PlayerHands(player).charted():
        cell = cells_at(place)[0]
        for letter, keys in KEYS.items():
            key = next((key for key in keys if key in choices), "")
            times, total, squares = tries.get((decision, ACTIONS.index(key)), (0, 0, 0))
            if times:
                found[cell][letter].add(times, total * unit, squares * unit**2)
    return found


def _changed(charts: Mapping[str, Chart], better: Iterable[BetterLetter]) -> dict[str, Chart]:
    changed = dict(charts)
    for each in better:
        cell = each.cell
        changed[cell.part] = changed[cell.part].changed(f"{cell.row} {cell.column} {each.better}")
    return changed


def _per_round(better: BetterLetter) -> float:
    return better.per_round
