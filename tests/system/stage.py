"""The demonstration's stage, for many tables one after the other."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Self, cast
from unittest.mock import patch

from controller.demo import stage
from controller.demo.scene import Scene
from controller.demo.stage import Stage
from tests.system.addresses import own_port
from tests.system.nursery import Nursery
from tests.waiting import PATIENCE


class QuickStage(Stage):
    """Its processes come out of the nursery, while there is one."""

    nursery: ClassVar[Nursery | None] = None

    def __init__(self, folder: Path, scene: Scene) -> None:
        super().__init__(folder, replace(scene, web_port=scene.web_port or own_port()))

    async def _spawn(self, name: str, module: list[str], **environment: str) -> asyncio.subprocess.Process:
        if self.nursery is None or self._usb(name):
            return await super()._spawn(name, module, **environment)
        with (self.folder / f"{name}.log").open("ab") as log:
            born = self.nursery.bear(module, log, {**os.environ, **environment})
        return cast("asyncio.subprocess.Process", born)


class MirroredStage(QuickStage):
    """Its journal has a mirror."""

    async def __aenter__(self) -> Self:
        mirror = self.folder / "mirror" / self.journal.name
        mirror.parent.mkdir(parents=True)
        await super().__aenter__()
        path = f'path = "{self.journal}"\n'
        self.config.write_text(self.config.read_text().replace(path, f'{path}mirror = "{mirror}"\n'))
        return self


@contextmanager
def nursery() -> Iterator[None]:
    """Meanwhile processes of quick stages are forked, and each has its time to come up."""
    with Nursery() as QuickStage.nursery, patch.object(stage, "PATIENCE", PATIENCE):
        yield
    QuickStage.nursery = None
