"""Faults that end, and faults that stay, in virtual time: rounds must end without a person.

`python -m tests.system.liveness --seed 1 --tables 60` plays at 60 tables. At each of them everything of
`tests.system.chaos` goes wrong for a while, and then nothing any more. From then on rounds must end within
BOUND, or the table must name what only a person can settle, and must have cause to (`drill/tasks.py`). Each
fault of `drill/permanent_faults.py` stays at one more table, and rounds must end there, too. The seed decides
everything; a stuck table names the command that repeats it alone.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from controller.demo.settings import DemoSettings
from drivers.devices.reconnect import ReconnectTiming
from drivers.sim.cable import Faults
from tests.purposes import Purposes, counted, verdict
from tests.system.drill.audit import wrong
from tests.system.drill.occurrences import HEALED, HELD, ROUND, met
from tests.system.drill.permanent_faults import PERMANENT, PermanentFault
from tests.system.drill.table import GOOD, Table
from tests.system.drill.tasks import HALT, HALTED_BY, TASKS, task_of, unjustified
from tests.system.drill.troubles import TROUBLES
from tests.system.drill.world import DrillError
from tests.system.preload.disk import Disk
from tests.system.preload.loading import quick, with_disk
from tests.system.soak import OPTIONS

PACE: Final = ReconnectTiming()
A_ROUND: Final = 60.0
"""Seconds in which the crew plays a round, including its patience with a lost key."""
BOUND: Final = PACE.hold + PACE.longest + A_ROUND
"""Seconds in which a round ends once faults have ended: a device that flapped is left alone for `hold`, one
that was refused is tried again after `longest`, and then the round is played."""
NUMBER: Final = (1, 6)
"""The least and greatest number of troubles in a spell."""
SELDOM: Final = 8
"""The most acts of the crew between two troubles."""
LONGEST: Final = 30.0
"""Seconds until the next trouble, even if the crew does nothing."""
SPELLS: Final = 12
"""Periods of trouble at one table."""
ROUNDS: Final = 3
"""Rounds played with each permanent fault."""
CABLES: Final = (GOOD, Faults(drop=0.05, flip=0.05, duplicate=0.05), Faults(split=0.2, stall=0.05))
SUSPENDED: Final = "Suspended: "
PURPOSES: Final[Purposes] = {
    ROUND: 0,
    **dict.fromkeys(PERMANENT, 0),
    **dict.fromkeys(TROUBLES, 12),
    **dict.fromkeys((*TASKS, HALT, HEALED, HELD), 60),
}
"""What a run must meet, each with the number of tables from which this applies."""


class LivelockError(Exception):
    """Rounds do not end, and the table asks no person; the text describes the whole state."""


@dataclass(slots=True)
class Watched:
    """The results of a table. `longest`: the longest time, in seconds, in which a round without a fault
    ended."""

    rounds: int = 0
    longest: float = 0.0
    faults: list[str] = field(default_factory=list)
    met: Counter[str] = field(default_factory=Counter)


class Watch:
    """One table, and a person with a stopwatch."""

    def __init__(self, seed: int, number: int, folder: Path, disk: Disk) -> None:
        game = list(OPTIONS)[number % len(OPTIONS)]
        options = OPTIONS[game][number // len(OPTIONS) % len(OPTIONS[game])]
        self.scene = DemoSettings(game, seed * 1000 + number, options={"burn_cards": "3", **options})
        self._table = Table(folder, self.scene, disk, Random(f"liveness/{seed}/{number}"))
        self._watched = Watched()
        self._named: dict[str, None] = {}
        """What only a person can settle, in the table's words."""

    def passing(self) -> Watched:
        """Troubles come, and then end, several times. Raises LivelockError."""
        return self._played(self._in_spells)

    def permanent(self, fault: PermanentFault) -> Watched:
        """This fault never ends. Raises LivelockError."""
        return self._played(lambda: self._with(fault))

    def _played(self, play: Callable[[], None]) -> Watched:
        table, watched = self._table, self._watched
        try:
            table.troubles.start()
            play()
        finally:
            table.world.close()
            table.disk.begin()
        watched.faults += unjustified(self._named, table.troubles.history)
        watched.met.update(met(table) + table.troubles.befell)
        watched.met.update(filter(None, map(task_of, self._named)))
        watched.rounds = table.crowd.rounds
        return watched

    def _in_spells(self) -> None:
        for _ in range(SPELLS):
            self._go_wrong()
            self._go_well()
        self._table.close()
        self._watched.faults += wrong(self._table.folder, self.scene, self._table.crowd.play.rounds)

    def _go_wrong(self) -> None:
        """Persons do what the table asks. The last trouble has just come when this returns."""
        table, chance = self._table, self._table.chance
        table.world.lay_cables(chance.choice(CABLES))
        for _ in range(chance.randint(*NUMBER)):
            acts, latest = table.crowd.acts + chance.randint(1, SELDOM), table.world.now + LONGEST
            while table.crowd.acts < acts and table.world.now < latest:
                self._glance()
                table.floor.look()
            table.troubles.come()

    def _go_well(self) -> None:
        """The round in play ends, and a whole one after it."""
        table = self._table
        table.world.lay_cables(GOOD)
        table.troubles.end()
        if table.world.failed:
            self._watched.met[HALT] += 1
            if not any(HALTED_BY.search(str(trouble)) for trouble in table.troubles.history):
                self._watched.faults.append(f"halted: {table.world.failed}")
        for _ in range(2):
            self._round_ends(BOUND)

    def _with(self, fault: PermanentFault) -> None:
        self._round_ends(BOUND)
        fault.begin(self._table)
        if fault.asks:
            self._until_asked(fault.asks)
            fault.change(self._table)
        for _ in range(ROUNDS):
            self._round_ends(BOUND + fault.bound)

    def _until_asked(self, text: str) -> None:
        since = self._table.world.now
        while not ((page := self._table.world.page) and text in page.suspended):
            self._glance()
            self._check(since, BOUND)

    def _round_ends(self, bound: float) -> None:
        """Within this many seconds from the start, or from the request to a person."""
        table = self._table
        rounds, since = table.crowd.rounds, table.world.now
        while table.crowd.rounds == rounds:
            asked = len(self._named)
            self._glance()
            if len(self._named) > asked:
                since = table.world.now
            if self._asks():
                table.floor.look()
            self._check(since, bound)
        self._watched.longest = max(self._watched.longest, table.world.now - since)

    def _asks(self) -> bool:
        """Whether the console names something that only a person can settle."""
        page, prompt = self._table.world.page, str(self._table.world.see("console")["prompt"]["text"])
        return page is not None and prompt.removeprefix(SUSPENDED) in page.tasks

    def _glance(self) -> None:
        self._table.glance()
        if page := self._table.world.page:
            self._named |= dict.fromkeys(page.tasks)

    def _check(self, since: float, bound: float) -> None:
        table = self._table
        if table.world.now - since > bound:
            history = "; ".join(map(str, table.troubles.history))
            raise LivelockError(f"no round ended within {bound:g} s: {table}; before: {history}")


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table to be played at; `permanent` names the fault that never ends; empty: faults come and end."""

    number: int
    permanent: str = ""

    def watched(self, seed: int, folder: Path, disk: Disk) -> Watched:
        """The results. Raises LivelockError."""
        watch = Watch(seed, self.number, folder, disk)
        if not self.permanent:
            return watch.passing()
        watched = watch.permanent(PERMANENT[self.permanent])
        watched.met[self.permanent] += 1
        return watched

    def __str__(self) -> str:
        return self.permanent or f"table {self.number}"


def main(disk: Disk) -> bool:
    """Whether rounds ended at every table and the run reached what it is for. Prints each table."""
    asked = _asked()
    began, whole, wells, rounds, longest = time.monotonic(), Counter[str](), True, 0, 0.0
    passing = [Sitting(number) for number in range(asked.first, asked.first + asked.tables, asked.step)]
    permanent = [Sitting(number, name) for number, name in enumerate(PERMANENT) if name in asked.permanent]
    for sitting in [*permanent, *passing]:
        watched = _sat(asked.seed, sitting, disk)
        wells &= watched is not None
        if watched:
            whole, rounds = whole + watched.met, rounds + watched.rounds
            longest = max(longest, 0.0 if sitting.permanent else watched.longest)
    seconds = f"{time.monotonic() - began:.0f} s"
    print(f"seed {asked.seed}: {rounds} rounds, the last one {longest:.0f} s after all faults, {seconds}")
    print(counted(whole))
    left_out = PERMANENT.keys() - set(asked.permanent)
    purposes = {name: least for name, least in PURPOSES.items() if name not in left_out}
    missing = verdict(purposes, len(passing), whole)
    print(missing or "all reached", flush=True)
    return wells and not missing


def _sat(seed: int, sitting: Sitting, disk: Disk) -> Watched | None:
    """The results; None if something is wrong, which is printed. The books are then kept."""
    folder = Path(tempfile.mkdtemp(prefix="tableside-liveness-", dir=quick()))
    try:
        watched = sitting.watched(seed, folder, disk)
    except (LivelockError, DrillError) as error:
        _repeat(seed, sitting, folder, str(error))
        return None
    if watched.faults:
        _repeat(seed, sitting, folder, "; ".join(watched.faults[:5]))
        return None
    print(f"{sitting}: {watched.rounds} rounds, after {watched.longest:.0f} s at most", flush=True)
    shutil.rmtree(folder)
    return watched


def _repeat(seed: int, sitting: Sitting, folder: Path, why: str) -> None:
    words = f"--tables 0 --permanent '{sitting.permanent}'" if sitting.permanent else "--tables 1 --permanent"
    again = f"python -m tests.system.liveness --seed {seed} --first {sitting.number} {words}"
    print(f"{sitting}: see {folder}: {why}\nagain: {again}", flush=True)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.system.liveness")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--step", type=int, default=1, help="play at every so-many-eth table")
    parser.add_argument("--first", type=int, default=0, help="the table to begin with")
    parser.add_argument("--permanent", nargs="*", choices=PERMANENT, default=list(PERMANENT))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(0 if with_disk("tests.system.liveness", main) else 1)
