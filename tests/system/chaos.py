"""Everything at once, in virtual time: bad cables, kills, sick disks, set clocks, and persons who settle it.

`python -m tests.system.chaos --seed 1 --rounds 10000 --game all` plays in stretches, each at a table of its
own. The seed decides everything, and a stretch that fails names the command that repeats it alone. On two
processors, run `--step 2` and `--step 2 --first 1` side by side.
"""

import argparse
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from controller.demo.settings import DemoSettings
from controller.journal.history import History
from drivers.sim.cable import Faults
from tests.purposes import Purposes, counted, verdict
from tests.system.drill.audit import wrong
from tests.system.drill.occurrences import (
    CLAIM,
    CLAIM_IN_A_KILL,
    CLOSED,
    CLOSED_IN_A_KILL,
    HEALED,
    HELD,
    INTERRUPTED,
    OPEN_ACTION,
    ROUND,
    VOID,
    met,
)
from tests.system.drill.table import GOOD, JOURNAL, Table
from tests.system.drill.troubles import TROUBLES
from tests.system.drill.world import DrillError
from tests.system.preload.disk import Disk
from tests.system.preload.loading import quick, with_disk
from tests.system.soak import OPTIONS

CABLES: Final = (GOOD, Faults(drop=0.02, flip=0.01, duplicate=0.01), Faults(split=0.05, stall=0.01))
JACKPOT: Final = "blackjack-x"
SELDOM: Final = 60
"""The most acts of the crew between two troubles."""
LONGEST: Final = 600.0
"""Seconds without an act after which the table hangs."""
PURPOSES: Final[Purposes] = {
    ROUND: 0,
    **dict.fromkeys((*TROUBLES, CLOSED, HEALED, HELD, INTERRUPTED), 600),
    VOID: 1200,
    **dict.fromkeys((CLOSED_IN_A_KILL, OPEN_ACTION), 2400),
}
"""What a run must reach, from this many rounds on."""
OF_CLAIMS: Final[Purposes] = dict.fromkeys((CLAIM, CLAIM_IN_A_KILL), 2400)
"""The same for a run with a jackpot."""


class HangError(Exception):
    """Nothing goes on; the text describes the whole state."""


@dataclass(slots=True)
class StretchResult:
    """The results of a stretch."""

    rounds: int
    seconds: float
    befell: Counter[str]
    met: Counter[str]
    said: int
    lives: int
    faults: list[str]
    hash: str


class Stretch:
    """One table from its first start to a look at its books."""

    def __init__(self, seed: int, number: int, games: list[str], folder: Path, disk: Disk) -> None:
        game = games[number % len(games)]
        options = OPTIONS[game][number // len(games) % len(OPTIONS[game])]
        self.scene = DemoSettings(game, seed * 1000 + number, options={"burn_cards": "3", **options})
        cables = CABLES[number % len(CABLES)]
        self._table = Table(folder, self.scene, disk, Random(f"{seed}/{number}"), cables)

    def play(self, rounds: int) -> StretchResult:
        """Plays this many rounds; returns what is wrong after them. Raises HangError."""
        table, began = self._table, time.monotonic()
        try:
            self._play(rounds)
        finally:
            table.world.close()
            table.disk.begin()
        faults = list(wrong(table.folder, self.scene, table.crowd.play.rounds))
        seconds, lives = time.monotonic() - began, len(table.world.lives)
        *_, last = History(table.folder / JOURNAL).rows()
        head = last.hash.hex()[:12]
        befell = table.troubles.befell
        return StretchResult(
            table.crowd.rounds, seconds, befell, met(table), table.floor.said, lives, faults, head
        )

    def _play(self, rounds: int) -> None:
        table = self._table
        table.troubles.start()
        due = self._next()
        while table.crowd.rounds < rounds:
            table.glance()
            table.floor.look()
            if table.still > LONGEST:
                raise HangError(str(table))
            if table.crowd.acts >= due:
                table.troubles.come()
                due = self._next()
        table.close()

    def _next(self) -> int:
        """After which act of the crew the next trouble comes."""
        return self._table.crowd.acts + self._table.chance.randint(1, SELDOM)


def main(disk: Disk) -> bool:
    """Whether all is well and the run reached what it is for. Prints each stretch."""
    asked = _asked()
    games = list(OPTIONS) if asked.game == "all" else [asked.game]
    began, befell, reached, rounds, wells = time.monotonic(), Counter[str](), Counter[str](), 0, True
    for number in range(asked.first, asked.first + -(-asked.rounds // asked.stretch), asked.step):
        most = min(asked.stretch, asked.rounds - (number - asked.first) * asked.stretch)
        sentence = _stretch(asked.seed, number, games, disk, most)
        if sentence is None:
            wells = False
            _repeat(asked, number, most)
            continue
        befell, reached, rounds = befell + sentence.befell, reached + sentence.met, rounds + sentence.rounds
    _sum_up(asked.seed, befell, rounds, time.monotonic() - began, wells=wells)
    print(counted(reached), flush=True)
    missing = verdict(purposes(games), rounds, befell + reached)
    print(missing or "all reached", flush=True)
    return wells and not missing


def purposes(games: Collection[str]) -> Purposes:
    """The purposes of a run with these games."""
    return {**PURPOSES, **(OF_CLAIMS if JACKPOT in games else {})}


def _sum_up(seed: int, befell: Counter[str], rounds: int, seconds: float, *, wells: bool) -> None:
    busy = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    speed = f"{seconds:.0f} s, {busy:.0f} s of a processor, {rounds / seconds:.1f} rounds a second"
    judged = "good" if wells else "WRONG"
    print(f"seed {seed}: {rounds} rounds, {befell.total()} troubles, {speed}: {judged}", flush=True)
    print(counted(befell), flush=True)


def _stretch(seed: int, number: int, games: list[str], disk: Disk, rounds: int) -> StretchResult | None:
    """The results; None if something is wrong, which is printed. The books are then kept."""
    folder = Path(tempfile.mkdtemp(prefix="tableside-chaos-", dir=quick()))
    stretch = Stretch(seed, number, games, folder, disk)
    try:
        result = stretch.play(rounds)
    except (HangError, DrillError) as error:
        print(f"stretch {number}, {stretch.scene.game}: see {folder}: {error!r}", flush=True)
        return None
    counts = (
        f"{result.rounds} rounds, {result.befell.total()} troubles, "
        f"{result.lives} daemons, {result.said} words"
    )
    if result.faults:
        print(
            f"stretch {number}, {stretch.scene.game}: {counts}, see {folder}: {result.faults[:5]}", flush=True
        )
        return None
    print(
        f"stretch {number}, {stretch.scene.game}: {counts}, {result.seconds:.0f} s, {result.hash}", flush=True
    )
    shutil.rmtree(folder)
    return result


def _repeat(asked: argparse.Namespace, number: int, rounds: int) -> None:
    words = f"--seed {asked.seed} --game {asked.game} --first {number} --rounds {rounds} --stretch {rounds}"
    print(f"again: python -m tests.system.chaos {words}", flush=True)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.system.chaos")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--game", choices=["all", *OPTIONS], default="all")
    parser.add_argument("--stretch", type=int, default=200, help="rounds of each table")
    parser.add_argument("--step", type=int, default=1, help="play every so-many-eth stretch")
    parser.add_argument("--first", type=int, default=0, help="the stretch to begin with")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(0 if with_disk("tests.system.chaos", main) else 1)
