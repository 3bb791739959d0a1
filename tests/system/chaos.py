"""Everything at once, in virtual time: bad cables, kills, sick disks, set clocks, and persons who mend it.

`python -m tests.system.chaos --seed 1 --rounds 10000 --game all` plays in stretches, each a table of its own.
The seed decides all that happens, and a stretch that goes wrong names the command that repeats it alone.
Two processors: `--step 2`, and beside it `--step 2 --first 1`.
"""

import argparse
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from controller.demo.scene import Scene
from controller.journal.reading import entries
from controller.table.events import Started
from drivers.sim.cable import Faults
from drivers.sim.kinds import Settings
from tests.system.disk.disk import Disk
from tests.system.disk.loading import quick, with_disk
from tests.system.drill.audit import wrong
from tests.system.drill.crowd import Crowd
from tests.system.drill.floor import Floor
from tests.system.drill.troubles import Troubles
from tests.system.drill.world import SERIALS, DrillError, World
from tests.system.soak import OPTIONS

CABLES: Final = (Faults(), Faults(drop=0.02, flip=0.01, duplicate=0.01), Faults(split=0.05, stall=0.01))
GLANCE: Final = 0.05
"""Seconds between two looks of everybody who looks."""
SELDOM: Final = 60
"""What the crew does between two troubles, at most."""
PATIENCE: Final = 30.0
"""Seconds without an act after which the crew tries again what it did."""
LONGEST: Final = 600.0
"""Seconds without an act after which the table hangs."""


class HangError(Exception):
    """Nothing goes on; the text says how everything stands."""


@dataclass(slots=True)
class Told:
    """What there was in a stretch."""

    rounds: int
    seconds: float
    befell: Counter[str]
    said: int
    lives: int
    faults: list[str]
    hash: str


class Stretch:
    """One table from its first start to a look at its books."""

    def __init__(self, seed: int, number: int, games: list[str], folder: Path, disk: Disk) -> None:
        self._chance = Random(f"{seed}/{number}")
        self._game = games[number % len(games)]
        options = OPTIONS[self._game][number // len(games) % len(OPTIONS[self._game])]
        self.scene = Scene(self._game, seed * 1000 + number, options={"burn_cards": "3", **options})
        self._folder, self._disk = folder, disk
        disk.holds(folder)
        disk.begin()
        self._world = self._table(CABLES[number % len(CABLES)])
        self._crowd = Crowd(self.scene, self._world)
        self._floor = Floor(self._world, self._chance)
        self._troubles = Troubles(self._world, self._crowd, disk, self._chance)

    def play(self, rounds: int) -> Told:
        """So many rounds, and what is wrong after them. Raises HangError."""
        began = time.monotonic()
        try:
            self._play(rounds)
        finally:
            self._world.close()
            self._disk.begin()
        faults = list(wrong(self._folder, self.scene, self._crowd.play.rounds))
        befell, lives = Counter(self._troubles.befell), len(self._world.lives)
        seconds = time.monotonic() - began
        return Told(self._crowd.rounds, seconds, befell, self._floor.said, lives, faults, self._head())

    def _play(self, rounds: int) -> None:
        self._troubles.start()
        due = self._crowd.acts + self._chance.randint(1, SELDOM)
        while self._crowd.rounds < rounds:
            self._world.run(GLANCE)
            self._troubles.mend()
            self._floor.look()
            self._hurry()
            if self._crowd.acts >= due:
                self._troubles.come()
                due = self._crowd.acts + self._chance.randint(1, SELDOM)
        self._close()

    def _close(self) -> None:
        """The disk is well, and a daemon ended in order."""
        self._crowd.leave()
        self._disk.begin()
        self._world.slow = 0.0
        while True:
            self._troubles.mend()
            self._world.run(GLANCE)
            if self._world.alive and not self._world.failed:
                self._world.stop()
                return

    def _hurry(self) -> None:
        still = self._world.now - self._crowd.acted_at
        if still > LONGEST:
            seen = {kind: self._world.see(kind) for kind in ("console", "shoe")}
            raise HangError(f"{self._world.page} {self._world.running} {seen} {self._floor.refused[-3:]}")
        if still > PATIENCE:
            self._crowd.impatient()

    def _table(self, faults: Faults) -> World:
        scene, decks = self.scene, self.scene.rules.options.decks
        shoe_log = self._folder / "shoe.cards"
        settings = Settings("", "", seed=scene.seed, speed="max", decks=decks, log=shoe_log)
        started = Started("drill", self._game, 7, scene.settings, SERIALS, claims=True)
        most = self._chance.choice((500, 2000, 50_000))
        return World(self._folder / "table.db", started, settings, faults, most=most)

    def _head(self) -> str:
        *_, last = entries(self._folder / "table.db")
        return last.hash.hex()[:12]


def main(disk: Disk) -> bool:
    """Whether all is well. Says it, stretch by stretch."""
    asked = _asked()
    games = list(OPTIONS) if asked.game == "all" else [asked.game]
    began, befell, rounds, wells = time.monotonic(), Counter[str](), 0, True
    for number in range(asked.first, asked.first + -(-asked.rounds // asked.stretch), asked.step):
        most = min(asked.stretch, asked.rounds - (number - asked.first) * asked.stretch)
        told = _stretch(asked.seed, number, games, disk, most)
        if told is None:
            wells = False
            _repeat(asked, number, most)
            continue
        befell, rounds = befell + told.befell, rounds + told.rounds
    _sum_up(asked.seed, befell, rounds, time.monotonic() - began, wells=wells)
    return wells


def _sum_up(seed: int, befell: Counter[str], rounds: int, seconds: float, *, wells: bool) -> None:
    busy = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    speed = f"{seconds:.0f} s, {busy:.0f} s of a processor, {rounds / seconds:.1f} rounds a second"
    verdict = "good" if wells else "WRONG"
    print(f"seed {seed}: {rounds} rounds, {befell.total()} troubles, {speed}: {verdict}", flush=True)
    print(", ".join(f"{name} {count}" for name, count in sorted(befell.items())), flush=True)


def _stretch(seed: int, number: int, games: list[str], disk: Disk, rounds: int) -> Told | None:
    """What there was; None if something is wrong, which is said. The books are then kept."""
    folder = Path(tempfile.mkdtemp(prefix="tableside-chaos-", dir=quick()))
    stretch = Stretch(seed, number, games, folder, disk)
    try:
        told = stretch.play(rounds)
    except (HangError, DrillError) as error:
        print(f"stretch {number}, {stretch.scene.game}: see {folder}: {error!r}", flush=True)
        return None
    counts = f"{told.rounds} rounds, {told.befell.total()} troubles, {told.lives} daemons, {told.said} words"
    if told.faults:
        print(
            f"stretch {number}, {stretch.scene.game}: {counts}, see {folder}: {told.faults[:5]}", flush=True
        )
        return None
    print(f"stretch {number}, {stretch.scene.game}: {counts}, {told.seconds:.0f} s, {told.hash}", flush=True)
    shutil.rmtree(folder)
    return told


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
