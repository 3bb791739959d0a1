"""The main bet by play, on all processors, for no longer than it takes to know who has the edge."""

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
"""Rounds that are played by one processor at a time: less than a second."""
LEAST_ROUNDS = 20_000
"""Rounds that are played even by a busy machine, unless the edge is clear before: an edge of 3% shows."""
SIGNIFICANT = 3
STOP_EARLY = 5
"""Standard errors beyond which an edge is no chance, and those at which play ends early: it is looked at
after each portion."""


def every_processor() -> Executor:
    """Plays on all of them at once."""
    return ProcessPoolExecutor(len(sched_getaffinity(0)), get_context("spawn"))


def main_bet(
    game: Game,
    seconds: float,
    *,
    least: int = LEAST_ROUNDS,
    clock: Callable[[], float] = monotonic,
    pool: Callable[[], Executor] = every_processor,
) -> BetTally:
    """What the main bet came to after so many seconds; `least` rounds take as long as they take.

    Raises Refused where no stake fits the options.
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
    """Whether the player has the edge beyond what may be chance."""
    return tally.house_edge < -SIGNIFICANT * tally.standard_error


def _portions(game: Game, pool: Executor) -> Generator[BetTally, None, None]:
    """One after the other without end; the same for the same options, in the same order."""
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
