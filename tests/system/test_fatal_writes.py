"""The product's own process dies around its writes, on real cables, and the rounds end as if it had not."""

import asyncio
from pathlib import Path
from random import Random
from typing import Final

from controller.demo.processes import DemoError
from controller.demo.settings import DemoSettings
from controller.demo.table import DemoTable
from controller.journal.closed_files import list_closed_files
from tests.fixtures.process_table import ForkedStage
from tests.system.books import faults
from tests.system.gallery import Gallery
from tests.system.performance import perform

ROUNDS: Final = 12
SCENE: Final = DemoSettings(seed=5, decks=6, options={"burn_cards": "3"})
LATEST: Final = 30
"""Moments of a daemon's life."""
NEVER: Final = 0
DEATHS: Final = 8


class DoomedStage(ForkedStage):
    """Each daemon dies at another moment, until there were enough deaths."""

    def __init__(self, folder: Path, scene: DemoSettings) -> None:
        super().__init__(folder, scene)
        self._chance, self.deaths = Random(scene.seed), 0

    async def _spawn(self, name: str, module: list[str], **environment: str) -> asyncio.subprocess.Process:
        if name == "daemon":
            fatal = self._chance.randint(1, LATEST) if self.deaths < DEATHS else NEVER
            module = ["tests.system.fatal", str(self.config), str(fatal)]
        return await super()._spawn(name, module, **environment)

    async def start_daemon(self) -> float:
        """One that dies before it is ready is followed by another."""
        while True:
            try:
                return await super().start_daemon()
            except DemoError:
                self.deaths += 1


async def revive(stage: DemoTable, _gallery: Gallery) -> None:
    """Whoever finds no daemon starts one."""
    assert isinstance(stage, DoomedStage)
    while stage.daemon is not None:
        await stage.daemon.wait()
        stage.deaths += 1
        await stage.start_daemon()


def test_a_daemon_that_dies_at_its_writes_loses_no_round(tmp_path: Path) -> None:
    made: list[DoomedStage] = []

    def build(folder: Path, scene: DemoSettings) -> DemoTable:
        made.append(DoomedStage(folder, scene))
        return made[0]

    reference = asyncio.run(perform(tmp_path / "whole", SCENE, ROUNDS))
    doomed = asyncio.run(perform(tmp_path / "doomed", SCENE, ROUNDS, build=build, person=revive))
    assert made[0].deaths == DEATHS
    assert list_closed_files(made[0].journal), "files were closed meanwhile"
    assert doomed.disputes == ()
    assert list(faults(doomed.books, reference.books)) == []
