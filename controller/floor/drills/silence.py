"""Drill `silence`: the amounts of a linked progressive stop for a while, and tables close its spots in time.

The time is virtual, so that 4.9 and 5.1 seconds are exactly that on any machine. The progressive, its
announcements and the tables' levels are the product's own.
"""

from pathlib import Path
from random import Random
from typing import Final

from controller.floor.drills.interleavings.exploration import World
from controller.floor.drills.interleavings.world import Faults, LogStream
from controller.floor.drills.outcome import Findings
from controller.jackpot.linked.table_level import IN_A_ROW, TableLevelState

SECOND: Final = 1.0
"""From one amount to the next."""
SHORT, LONG = 4.9, 5.1
SEEDS: Final = 20
NO_FAULTS: Final = Faults(instances=1, input_rewinds=False, log_rewinds=False)


class QuietProperty:
    """A progressive and its tables. `check` notes a fault unless all levels are in this state."""

    def __init__(self, seed: int, found: Findings) -> None:
        self._world, self._found = World(Random(seed), NO_FAULTS, LogStream()), found
        self._world.begin()
        self._world.heal()

    def announce(self, times: int = 1) -> None:
        """An amount each second."""
        [process] = self._world.processes
        for _ in range(times):
            self.wait(SECOND)
            process.announce(self._world.now)
            for payload in process.announced:
                for table in self._world.tables:
                    table.hear(payload, self._world.now)
            process.announced.clear()

    def wait(self, seconds: float) -> None:
        self._world.now += seconds

    def check(self, state: TableLevelState, when: str) -> None:
        for table in self._world.tables:
            is_now = table.level.state(self._world.now)
            self._found.check(
                is_now == state, f"{table.name}, {when}: the level is {is_now}, and must be {state}"
            )


async def silence(_folder: Path, _seconds: float) -> Findings:
    found = Findings()
    for seed in range(SEEDS):
        house = QuietProperty(seed, found)
        house.announce(IN_A_ROW)
        house.check("open", "after three amounts")
        house.wait(SHORT)
        house.check("open", f"{SHORT} s without an amount")
        house.announce()
        house.wait(LONG)
        house.check("lost", f"{LONG} s without an amount")
        house.announce(IN_A_ROW - 1)
        house.check("lost", "two amounts later")
        house.announce()
        house.check("open", "three amounts later")
    return found
