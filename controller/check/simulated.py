"""Simulates the main bet on all processors, until it is clear who has the edge or the time is over."""

from collections import deque
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import closing
from itertools import count
from multiprocessing import get_context
from os import sched_getaffinity
from time import monotonic
from typing import Any

from controller.check.adapted import open_adapted
from controller.games.game import Game
from controller.odds.simulate import Engine, EngineName, engine_for, start_worker, work
from controller.odds.tally import MAIN, BetTallies, BetTally

ROUNDS_PER_TASK: Mapping[EngineName, int] = {"kernel": 100_000, "round": 2000}
"""Rounds of one portion, which a processor plays in a second or two even if nothing is compiled."""
LEAST_ROUNDS = 20_000
"""The least rounds that are played, even if the time is over, unless the edge is clear before. They suffice
to detect an edge of 3%."""
SIGNIFICANT = 3
STOP_EARLY = 5
"""An edge of more than this many standard errors is significant, and ends the simulation early. The second
number is larger because it is applied after each portion."""


def every_processor(engine: Engine) -> Executor:
    """A pool with one process for each available processor, each ready to play."""
    return ProcessPoolExecutor(len(sched_getaffinity(0)), get_context("spawn"), start_worker, (engine,))


def main_bet(
    game: Game,
    seconds: float,
    *,
    least: int = LEAST_ROUNDS,
    clock: Callable[[], float] = monotonic,
    pool: Callable[[Engine], Executor] = every_processor,
) -> BetTally:
    """The tally of the main bet after `seconds`. At least `least` rounds are played, however long that takes,
    unless the edge is clear before.

    Raises EventRefused if no stake fits the options.
    """
    total, end = BetTally(MAIN), clock() + seconds
    engine = engine_for(open_adapted(game.name, _chosen(game)), opened=open_adapted)
    with closing(_portions(engine, pool(engine))) as portions:
        for tally in portions:
            total.merge(tally)
            if abs(total.house_edge) > STOP_EARLY * total.standard_error:
                break
            if total.count >= least and clock() >= end:
                break
    return total


def favours_player(tally: BetTally) -> bool:
    """Whether the player has a significant edge."""
    return tally.house_edge < -SIGNIFICANT * tally.standard_error


def _chosen(game: Game) -> dict[str, Any]:
    return game.options.model_dump(mode="json", exclude_unset=True)


def _portions(engine: Engine, pool: Executor) -> Generator[BetTally, None, None]:
    """An endless sequence of portions. The same options give the same portions in the same order."""
    ahead, rounds = 2 * len(sched_getaffinity(0)), ROUNDS_PER_TASK[engine.name]
    try:
        played: deque[Future[tuple[BetTallies, float]]] = deque()
        for number in count():
            played.append(pool.submit(work, rounds, str(number)))
            if len(played) > ahead:
                tallies, _ = played.popleft().result()
                yield tallies.of(MAIN)
    finally:
        pool.shutdown(cancel_futures=True)
