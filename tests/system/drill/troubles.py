"""What may befall a table in virtual time; the seed decides what, and when."""

import errno
from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from drivers.sim.requests import RequestError
from tests.system.disk.disk import Disk
from tests.system.drill.crowd import Crowd
from tests.system.drill.world import KINDS, DrillError, World

HOURS: Final = 3600.0
LONGEST_AWAY: Final = 6.0
ERRORS: Final = (errno.ENOSPC, errno.EIO, errno.EROFS, 0)


class Troubles:
    """Everything that can go wrong at one table; `befell` counts what did."""

    def __init__(self, world: World, crowd: Crowd, disk: Disk, chance: Random) -> None:
        self.world, self.crowd, self.disk, self.chance = world, crowd, disk, chance
        self.befell: dict[str, int] = {}
        self._well_at = 0.0

    def come(self) -> None:
        """One of them, whichever."""
        name = self.chance.choice(list(TROUBLES))
        self.befell[name] = self.befell.get(name, 0) + 1
        TROUBLES[name](self)

    def mend(self) -> None:
        """What ends with time; and who finds no daemon, or one whose journal failed, starts one."""
        if self.world.now >= self._well_at:
            self.disk.mend()
            self.world.slow = 0.0
        if self.world.failed:
            self.world.run(self.chance.uniform(0, LONGEST_AWAY))
            self.end_daemon()
        if not self.world.alive:
            self.start()

    def start(self) -> None:
        """A daemon, after a while; now and then one that will be killed at some moment."""
        self.world.run(self.chance.uniform(0, LONGEST_AWAY))
        if self.world.now >= self._well_at:
            self.disk.mend()
        self.world.start(self.chance.choice((-1, self.chance.randint(0, 60))))
        if not self.world.alive and not self.disk.sick and not self.world.lives[-1]:
            raise DrillError("the daemon does not start, and its disk is well")

    def end_daemon(self) -> None:
        """One way or the other."""
        (self.world.kill if self.chance.random() < 0.5 else self.world.stop)()

    def kill_daemon(self) -> None:
        """`kill -9` between two batons."""
        self.world.kill()

    def stop_daemon(self) -> None:
        """SIGTERM."""
        if self.world.alive:
            self.world.stop()

    def freeze_daemon(self) -> None:
        """It does not run, and does not know."""
        if self.world.alive:
            self.world.freeze(self.chance.choice((0.3, 2.0, 3.5, 20.0)))

    def kill_device(self) -> None:
        """A new process with the memory of the old one."""
        kind = self._kind()
        self.crowd.lose(kind)
        self.world.exchange(kind)
        self.crowd.come_back(kind)

    def disturb_device(self) -> None:
        """Its power, its cable, its processor."""
        do = self.chance.choice(("reboot", "hang-up", "freeze"))
        self._ask(self._kind(), do, seconds=self.chance.choice((0.2, 0.5, 3.5, 5.0)))

    def sick_disk(self) -> None:
        """It is full, read only or broken, from some call on, for a while or once."""
        self.world.ill = True
        most = self.chance.choice((0, 0, 1, 3))
        self.disk.fail(self.chance.choice(ERRORS), after=self.chance.randint(0, 30), most=most)
        self._well_at = self.world.now + self.chance.uniform(0.5, 5.0)

    def slow_disk(self) -> None:
        """Every write takes so long."""
        self.world.slow = self.chance.choice((0.05, 0.2, 2.0, 2.9))
        self._well_at = self.world.now + self.chance.uniform(0.5, 5.0)

    def step_clock(self) -> None:
        """Somebody sets the clock."""
        self.world.ahead += self.chance.choice((-1, 1)) * self.chance.uniform(1.0, 5 * HOURS)

    def open_cover(self) -> None:
        """Somebody opens the shoe, and closes it."""
        self._for_a_while("shoe", "cover", "open")

    def jam(self) -> None:
        """A card gets stuck in the shoe or the shuffler, and is freed."""
        self._for_a_while(self.chance.choice(("shoe", "shuffler")), "jam", "on")

    def dirty_card(self) -> None:
        """The next card cannot be read."""
        self._ask("shoe", "unreadable")

    def forced_card(self) -> None:
        """A card is pulled out of the locked shoe."""
        shoe = self.world.see("shoe")
        if shoe["permit"]["up_to"] <= shoe["shoe"]["count"]:
            self._ask("shoe", "pull", force=True)

    def _kind(self) -> str:
        return self.chance.choice(KINDS)

    def _for_a_while(self, kind: str, do: str, field: str) -> None:
        self._ask(kind, do, **{field: True})
        self.world.run(self.chance.uniform(0, 2.0))
        self._ask(kind, do, **{field: False})

    def _ask(self, kind: str, do: str, **fields: object) -> None:
        """A device that cannot, now, does not."""
        try:
            self.world.ask(kind, do, **fields)
        except RequestError:
            return


TROUBLES: Final[Mapping[str, Callable[[Troubles], None]]] = {
    "daemon killed": Troubles.kill_daemon,
    "daemon stopped": Troubles.stop_daemon,
    "daemon frozen": Troubles.freeze_daemon,
    "device killed": Troubles.kill_device,
    "device disturbed": Troubles.disturb_device,
    "device disturbed again": Troubles.disturb_device,
    "sick disk": Troubles.sick_disk,
    "slow disk": Troubles.slow_disk,
    "clock stepped": Troubles.step_clock,
    "cover opened": Troubles.open_cover,
    "card stuck": Troubles.jam,
    "card unreadable": Troubles.dirty_card,
    "card forced": Troubles.forced_card,
}
