"""A table in virtual time with everybody at it: the crew, the persons it calls, its troubles."""

from pathlib import Path
from random import Random
from typing import Final

from controller.demo.settings import DemoSettings
from controller.table.record.events import Started
from drivers.sim.cable import Faults
from drivers.sim.kinds import Settings
from tests.system.drill.crowd import Crowd
from tests.system.drill.floor import Floor
from tests.system.drill.troubles import Troubles
from tests.system.drill.world import KINDS, SERIALS, World
from tests.system.preload.disk import Disk

GOOD: Final = Faults()
JOURNAL: Final = "table.db"
SHOE_LOG: Final = "shoe.cards"
GLANCE: Final = 0.05
"""Seconds between two looks of each person."""
PATIENCE: Final = 30.0
"""Seconds without an act after which the crew repeats its last one."""
FILES: Final = (500, 2000, 50_000)
"""Rows after which the journal's file is closed; the seed chooses."""


class Table:
    """Its journal is in `folder`, which is on `disk`; `chance` makes all random choices except the crew's."""

    def __init__(
        self,
        folder: Path,
        scene: DemoSettings,
        disk: Disk,
        chance: Random,
        cables: Faults = GOOD,
    ) -> None:
        self.folder, self.scene, self.disk, self.chance = folder, scene, disk, chance
        disk.holds(folder)
        disk.begin()
        self.world = self._world(cables)
        self.crowd = Crowd(scene, self.world)
        self.floor = Floor(self.world, chance)
        self.troubles = Troubles(self.world, self.crowd, disk, chance)

    def configured(self, without: str = "") -> Started:
        """The configuration of its daemon; `without` leaves out one of its devices."""
        serials = {kind: serial for kind, serial in SERIALS.items() if kind != without}
        return Started("drill", self.scene.game, 7, self.scene.game_options, serials, claims=True)

    @property
    def still(self) -> float:
        """Seconds since the crew's last act."""
        return self.world.now - self.crowd.acted_at

    def glance(self) -> None:
        """Everybody looks once and does what is due; time passes."""
        self.world.run(GLANCE)
        self.troubles.mend()
        if self.still > PATIENCE:
            self.crowd.impatient()

    def close(self) -> None:
        """The crew leaves, the disk recovers, and a daemon that has met every device ends normally."""
        self.crowd.leave()
        self.troubles.end()
        while True:
            self.troubles.mend()
            self.world.run(GLANCE)
            if self.world.running == frozenset(KINDS) and not self.world.failed:
                self.world.stop()
                return

    def __str__(self) -> str:
        seen = {kind: self.world.see(kind) for kind in ("console", "shoe")}
        return f"{self.world.page} {sorted(self.world.running)} {seen} {self.floor.refused[-3:]}"

    def _world(self, cables: Faults) -> World:
        scene, decks = self.scene, self.scene.rules.options.decks
        shoe_log = self.folder / SHOE_LOG
        settings = Settings("", "", seed=scene.seed, speed="max", decks=decks, log=shoe_log)
        most = self.chance.choice(FILES)
        return World(self.folder / JOURNAL, self.configured(), settings, cables, most=most)
