"""Simulates the main bet on all processors, until it is clear who has the edge or the time is over."""

import json
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import closing
from functools import lru_cache
from itertools import count
from multiprocessing import get_context
from os import sched_getaffinity
from time import monotonic

from controller.check.adapted import open_adapted
from controller.games.game import Game
from controller.odds.playthrough import Player
from controller.odds.simulate import JACKPOT, play
from controller.odds.tally import MAIN, BetTally

ROUNDS_PER_TASK = 2000
"""Rounds of one portion, which a processor plays in less than a second."""
LEAST_ROUNDS = 20_000
"""The least rounds that are played, even if the time is over, unless the edge is clear before. They suffice
to detect an edge of 3%."""
SIGNIFICANT = 3
STOP_EARLY = 5
"""An edge of more than this many standard errors is significant, and ends the simulation early. The second
number is larger because it is applied after each portion."""


def every_processor() -> Executor:
    """A pool with one process for each available processor."""
    return ProcessPoolExecutor(len(sched_getaffinity(0)), get_context("spawn"))


def main_bet(
    game: Game,
    seconds: float,
    *,
    least: int = LEAST_ROUNDS,
    clock: Callable[[], float] = monotonic,
    pool: Callable[[], Executor] = every_processor,
) -> BetTally:
    """The tally of the main bet after `seconds`. At least `least` rounds are played, however long that takes,
    unless the edge is clear before.

    Raises EventRefused if no stake fits the options.
    """
    total, end = BetTally(MAIN), clock() + seconds
    with closing(_portions(game, pool())) as portions:
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


def _portions(game: Game, pool: Executor) -> Generator[BetTally, None, None]:
    """An endless sequence of portions. The same options give the same portions in the same order."""
    chosen = json.dumps(game.options.model_dump(mode="json", exclude_unset=True))
    ahead = 2 * len(sched_getaffinity(0))
    try:
        played: deque[Future[BetTally]] = deque()
        for number in count():
            played.append(pool.submit(_play, game.name, chosen, number))
            if len(played) > ahead:
                yield played.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _play(game: str, options: str, number: int) -> BetTally:
    return play(_player(game, options), ROUNDS_PER_TASK, str(number)).of(MAIN)


@lru_cache(maxsize=1)
def _player(game: str, options: str) -> Player:
    opened = open_adapted(game, json.loads(options))
    return Player(opened, dict.fromkeys(opened.meters, JACKPOT))
