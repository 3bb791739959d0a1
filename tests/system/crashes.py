"""`kill -9` of the daemon around everything that it writes, in every round, one run for each point.

`python -m tests.system.crashes` prints the number of points and each difference from the undisturbed play; it
exits 1 when there is one.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from drivers.sim.requests import RequestError
from tests.purposes import Purposes, counted, verdict
from tests.system.drill.compare import faults, known
from tests.system.drill.deeds import DEEDS
from tests.system.drill.hands import StuckError
from tests.system.drill.occurrences import (
    CLAIM,
    CLAIM_IN_A_KILL,
    CLOSED_IN_A_KILL,
    HEALED,
    died_and_healed,
    named,
)
from tests.system.drill.play import Played, play
from tests.system.drill.rounds import RICH, SHORT, Programme
from tests.system.drill.world import DrillError, World
from tests.system.preload.disk import Disk
from tests.system.preload.loading import quick, with_disk

CALLS: Final = {"call": 0, "torn": 0, "power": 1, "power of some": 2, "power of others": 3}
"""Kinds of points at calls to the disk, and what is lost there."""
KINDS: Final = ("moment", "twice", *CALLS, "deed")
PROGRAMMES: Final = {"short": SHORT, **RICH}
POINT: Final = "point tried"
PURPOSES: Final[Mapping[str, Purposes]] = {
    "": {POINT: 0},
    **{kind: {kind: 200} for kind in KINDS},
    "moment": {"moment": 200, CLOSED_IN_A_KILL: 200},
    "power": {"power": 200, HEALED: 400},
}
"""By kind of point, what a run that tries such points must reach, from this many points on."""
JACKPOT: Final = "blackjack-x"
OF_CLAIMS: Final[Purposes] = {CLAIM: 400, CLAIM_IN_A_KILL: 1000}
"""What a run must reach that kills daemons at moments of a round with a jackpot."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where a daemon is killed.

    `kind` "moment": before or after a write of the journal's; "twice": there, and the next one around its
    first write; "call": instead of a call to the disk; "torn": in the middle of it; "power": and what was not
    synced is lost, of all files or of some. Or none is killed, and "deed": that of deeds.py with this label
    befalls the table at this step.
    """

    kind: str
    number: int
    label: str = ""


class Crashes:
    """All points of one game, compared with one undisturbed play."""

    def __init__(self, name: str, folder: Path, disk: Disk) -> None:
        self.name, self._folder, self._disk = name, folder, disk
        self._programme: Programme = PROGRAMMES[name]
        self._reference, self._calls = self._counted()
        self._states = known(self._reference)
        self.met = Counter[str]()
        """What all tried points reached, by name."""

    def points(self) -> list[Point]:
        """All points."""
        labels = self._reference.points
        moments = [Point("moment", number, label) for number, label in enumerate(labels)]
        twice = [Point("twice", number, label) for number, label in enumerate(labels)]
        calls = [Point(kind, number) for kind in CALLS for number in range(1, self._calls + 1)]
        steps = range(1, len(self._reference.sights))
        deeds = [Point("deed", step, deed) for step in steps for deed in DEEDS]
        return [*moments, *twice, *calls, *deeds]

    def tried(self, point: Point) -> list[str]:
        """The differences that a crash there makes."""
        with self._place() as folder:
            try:
                played = self._play(folder, point)
            except (StuckError, DrillError, RequestError) as error:
                return [f"{type(error).__name__}: {error}"]
        self.met.update([POINT, point.kind, *named(played.rows)])
        self.met.update(died_and_healed(played.deaths, played.healed))
        return list(faults(played, self._reference, None if point.kind == "deed" else self._states))

    def _play(self, folder: Path, point: Point) -> Played:
        fatal = {"moment": (point.number,), "twice": (point.number, point.number % 2)}.get(point.kind, ())

        @contextmanager
        def disturbed(_world: World) -> Iterator[None]:
            self._disk.begin()
            if point.kind in CALLS:
                self._disk.kill_at(point.number, torn=point.kind == "torn", power=CALLS[point.kind])
            yield

        def meddle(world: World, done: int) -> bool:
            if (point.kind, point.number) != ("deed", done):
                return False
            DEEDS[point.label](world)
            return True

        return play(folder, self._programme, fatal, disturbed, meddle)

    def _counted(self) -> tuple[Played, int]:
        with self._place() as folder:
            self._disk.begin()
            played = play(folder, self._programme, tells=True)
            return played, self._disk.calls

    @contextmanager
    def _place(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(dir=self._folder) as place:
            self._disk.holds(Path(place))
            yield Path(place)


@dataclass(frozen=True, slots=True)
class Tried:
    """The results for one programme: whether no point made a difference, and what the points reached."""

    well: bool
    met: Counter[str]


def tried(name: str, disk: Disk, kinds: Sequence[str], most: int, seed: int) -> Tried:
    """At most this many points of one programme, chosen by the seed. Prints the results."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tableside-crashes-", dir=quick()) as folder:
        crashes = Crashes(name, Path(folder), disk)
        points = [point for point in crashes.points() if point.kind in kinds]
        chosen = points if most >= len(points) else Random(f"{seed}/{name}").sample(points, most)
        wrong = {point: found for point in chosen if (found := crashes.tried(point))}
    for point, found in wrong.items():
        print(f"{name}, {point.kind} {point.number} ({point.label}): {'; '.join(found)}"[:2000], flush=True)
    seconds = f"{time.monotonic() - began:.0f} s"
    counts = f"{len(chosen)} of {len(points)} crash points, {len(wrong)} with differences"
    print(f"{name}: {counts}, {seconds}", flush=True)
    return Tried(not wrong, crashes.met)


def purposes(kinds: Collection[str], plays: Collection[str]) -> Purposes:
    """The purposes of a run with points of these kinds in these plays."""
    found = {name: least for kind in ("", *kinds) for name, least in PURPOSES[kind].items()}
    return {**found, **(OF_CLAIMS if JACKPOT in plays and "moment" in kinds else {})}


def main(disk: Disk) -> bool:
    """Whether all is well and the run reached what it is for."""
    asked = _asked()
    done = [tried(name, disk, asked.kinds, asked.most, asked.seed) for name in asked.plays]
    met = sum((each.met for each in done), Counter[str]())
    print(counted(met), flush=True)
    missing = verdict(purposes(asked.kinds, asked.plays), met[POINT], met)
    print(missing or "all reached", flush=True)
    return all(each.well for each in done) and not missing


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.system.crashes")
    parser.add_argument("--plays", nargs="+", choices=PROGRAMMES, default=list(PROGRAMMES))
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--most", type=int, default=1_000_000, help="points of each play")
    parser.add_argument("--seed", type=int, default=1, help="chooses them")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(0 if with_disk("tests.system.crashes", main) else 1)
