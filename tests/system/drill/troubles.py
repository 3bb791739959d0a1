"""The troubles of a table in virtual time; the seed decides which, and when."""

import errno
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from drivers.devices.reconnect import ReconnectTiming
from drivers.sim.requests import RequestError
from tests.system.drill.crowd import Crowd
from tests.system.drill.world import KINDS, DrillError, World
from tests.system.preload.disk import Disk

HOURS: Final = 3600.0
LONGEST_AWAY: Final = 6.0
MOMENTS: Final = 60
"""Around this many writes and other steps of its journal, from its start on, a daemon may be killed."""
LOSSES: Final = ReconnectTiming().losses
BETWEEN_LOSSES: Final = 1.5
"""Seconds in which a device is back."""
AIMS: Final = ("roll", "claim")
"""Words of rare moments that are worth a kill."""
ERRORS: Final = (errno.ENOSPC, errno.EIO, errno.EROFS, 0)


@dataclass(frozen=True, slots=True)
class Trouble:
    """What happened when, and to what."""

    at: float
    name: str
    detail: str

    def __str__(self) -> str:
        return f"{self.at:.1f} s: {' '.join(filter(None, (self.name, self.detail)))}"


class Troubles:
    """Everything that can go wrong at one table. `history`: what did, each with its time."""

    def __init__(self, world: World, crowd: Crowd, disk: Disk, chance: Random) -> None:
        self.world, self.crowd, self.disk, self.chance = world, crowd, disk, chance
        self.history: list[Trouble] = []
        self._well_at = 0.0
        self._over = False

    @property
    def befell(self) -> Counter[str]:
        """How often each trouble came."""
        return Counter(trouble.name for trouble in self.history)

    def come(self) -> None:
        """One trouble; the seed decides which."""
        name, self._over = self.chance.choice(list(TROUBLES)), False
        self.history.append(Trouble(self.world.now, name, ""))
        TROUBLES[name](self)

    def end(self) -> None:
        """The disk is healthy, and no daemon that starts from now on is killed, until the next trouble."""
        self._well_at = 0.0
        self._over = True
        self.disk.mend()
        self.world.slow = 0.0

    def mend(self) -> None:
        """Ends what time ends; starts a daemon where there is none, or where its journal failed."""
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
        killed = "never" if self._over else self.chance.choice(("never", "soon", *AIMS))
        soon = self.chance.randint(0, MOMENTS) if killed == "soon" else -1
        self.world.start(soon, aim=killed if killed in AIMS else "")
        if not self.world.alive and not self.disk.sick and not self.world.lives[-1]:
            raise DrillError("the daemon does not start, and its disk is well")

    def end_daemon(self) -> None:
        """In one of two ways."""
        (self.world.kill if self.chance.random() < 0.5 else self.world.stop)()

    def kill_daemon(self) -> None:
        """`kill -9` between two batons."""
        self.world.kill()

    def stop_daemon(self) -> None:
        """SIGTERM."""
        if self.world.alive:
            self.world.stop()

    def freeze_daemon(self) -> None:
        """It does not run, and does not know it."""
        if self.world.alive:
            self.world.freeze(self.chance.choice((0.3, 2.0, 3.5, 20.0)))

    def kill_device(self) -> None:
        """A new process with the memory of the old one."""
        kind = self._kind()
        self._add_detail(kind)
        self.crowd.lose(kind)
        self.world.exchange(kind)
        self.crowd.come_back(kind)

    def disturb_device(self) -> None:
        """Its power, its cable, its processor."""
        kind, do = self._kind(), self.chance.choice(("reboot", "hang-up", "freeze"))
        self._add_detail(f"{kind} {do}")
        self._ask(kind, do, seconds=self.chance.choice((0.2, 0.5, 3.5, 5.0)))

    def shake_plug(self) -> None:
        """A device comes and goes until it is held off."""
        kind = self._kind()
        self._add_detail(kind)
        for _ in range(LOSSES):
            self._ask(kind, "hang-up", seconds=0.2)
            self.world.run(BETWEEN_LOSSES)

    def sick_disk(self) -> None:
        """It is full, read-only or broken, from some call on, for a while or once."""
        self.world.ill = True
        most = self.chance.choice((0, 0, 1, 3))
        self.disk.fail(self.chance.choice(ERRORS), after=self.chance.randint(0, 30), most=most)
        self._well_at = self.world.now + self.chance.uniform(0.5, 5.0)

    def slow_disk(self) -> None:
        """Every write takes long."""
        self.slow_down(self.chance.choice((0.05, 0.2, 2.0, 2.9)), self.chance.uniform(0.5, 5.0))

    def slow_down(self, write: float, seconds: float) -> None:
        """Every write takes `write` seconds from now on, for this many seconds."""
        self.world.slow = write
        self._well_at = self.world.now + seconds

    def step_clock(self) -> None:
        self.world.ahead += self.chance.choice((-1, 1)) * self.chance.uniform(1.0, 5 * HOURS)

    def open_cover(self) -> None:
        """Somebody opens the shoe, and closes it."""
        self._for_a_while("shoe", "cover", "open")

    def jam(self) -> None:
        """A card gets stuck in the shoe or the shuffler, and is freed."""
        kind = self.chance.choice(("shoe", "shuffler"))
        self._add_detail(kind)
        self._for_a_while(kind, "jam", "on")

    def dirty_card(self) -> None:
        self._ask("shoe", "unreadable")

    def forced_card(self) -> None:
        shoe = self.world.see("shoe")
        if shoe["permit"]["up_to"] <= shoe["shoe"]["count"]:
            self._ask("shoe", "pull", force=True)

    def unseen_card(self) -> None:
        self.crowd.trips = True

    def _add_detail(self, detail: str) -> None:
        """Of the last trouble."""
        self.history[-1] = replace(self.history[-1], detail=detail)

    def _kind(self) -> str:
        return self.chance.choice(KINDS)

    def _for_a_while(self, kind: str, do: str, field: str) -> None:
        self._ask(kind, do, **{field: True})
        self.world.run(self.chance.uniform(0, 2.0))
        self._ask(kind, do, **{field: False})

    def _ask(self, kind: str, do: str, **fields: object) -> None:
        """A device that cannot do it now does nothing."""
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
    "plug loose": Troubles.shake_plug,
    "sick disk": Troubles.sick_disk,
    "slow disk": Troubles.slow_disk,
    "clock stepped": Troubles.step_clock,
    "cover opened": Troubles.open_cover,
    "card stuck": Troubles.jam,
    "card unreadable": Troubles.dirty_card,
    "card forced": Troubles.forced_card,
    "card unseen": Troubles.unseen_card,
}
