"""Millions of rounds, each from a fresh shoe, on all processors. A seed gives the same rounds on any
number of processors."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from os import sched_getaffinity
from random import Random
from typing import Any

from controller.games import open_game
from controller.games.game import Game
from controller.odds.playthrough import Player, ShuffledShoe
from controller.odds.tally import BetTallies, BetTally

PORTION = 5000
"""Rounds that share a random source, and that one processor plays."""
JACKPOT = 1_000_000
"""Cents that a jackpot displays in every round unless `meters` says otherwise: the default seed."""


def simulate(
    game: Game,
    rounds: int,
    seed: int,
    *,
    meters: Mapping[str, int] | None = None,
    processors: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> tuple[BetTally, ...]:
    """Tallies of every bet after `rounds` rounds of one seat.

    `meters`: jackpots in cents by spot. `processors`: None for all. `progress` is called with the number
    of further rounds that were played. Raises EventRefused if no stake fits the options.
    """
    player = Player(game, dict.fromkeys(game.meters, JACKPOT) | dict(meters or {}))
    totals = BetTallies()
    for size, tallies in _portion_tallies(
        player, list(_portions(rounds, seed)), processors or len(sched_getaffinity(0))
    ):
        totals.merge(tallies)
        progress(size)
    return totals.all()


def _portions(rounds: int, seed: int) -> Iterator[tuple[int, str]]:
    """Numbers of rounds, and the seed of their cards."""
    for number, before in enumerate(range(0, rounds, PORTION)):
        yield min(PORTION, rounds - before), f"{seed}/{number}"


def _portion_tallies(
    player: Player, portions: list[tuple[int, str]], processors: int
) -> Iterator[tuple[int, BetTallies]]:
    if min(len(portions), processors) == 1:
        yield from ((size, play(player, size, seed)) for size, seed in portions)
        return
    game = player.game
    chosen = game.options.model_dump(mode="json", exclude_unset=True)
    with ProcessPoolExecutor(
        processors, get_context("spawn"), _start_worker, (game.name, chosen, player.meters)
    ) as pool:
        sizes, seeds = zip(*portions, strict=True)
        yield from zip(sizes, pool.map(_play, sizes, seeds), strict=True)


def play(player: Player, rounds: int, seed: str) -> BetTallies:
    """Rounds whose cards one seed shuffles."""
    tallies, shoe = BetTallies(), ShuffledShoe(player.game.options.decks, Random(seed))
    for _ in range(rounds):
        player.count(player.play(shoe.fresh()), tallies)
    return tallies


_worker_player: dict[str, Player] = {}
"""The player of a worker process."""


def _start_worker(game: str, options: dict[str, Any], meters: Mapping[str, int]) -> None:
    _worker_player["here"] = Player(open_game(game, options), meters)


def _play(rounds: int, seed: str) -> BetTallies:
    return play(_worker_player["here"], rounds, seed)
