"""A stage whose shoe and shuffler are emulated boards with the firmware in C."""

import asyncio
import sys
from typing import ClassVar, Final

from controller.demo.processes import DIES_WITH_US
from tests.firmware.bench import images
from tests.fixtures.process_table import ForkedStage

ON_BOARDS: Final = ("shoe", "shuffler")


class BoardStage(ForkedStage):
    """The stage of the demonstration, sealed and on pseudo-terminals; killed devices lose their power."""

    on_boards: ClassVar[tuple[str, ...]] = ON_BOARDS

    async def start_device(self, kind: str) -> None:
        """Switches a device on with the memory that it had."""
        if kind not in self.on_boards:
            await super().start_device(kind)
            return
        images()
        with (self.folder / f"{kind}.log").open("ab") as log:
            self.devices[kind] = await asyncio.create_subprocess_exec(
                *DIES_WITH_US,
                sys.executable,
                "-m",
                "tests.firmware.board",
                "--class",
                kind,
                *self._device_options(kind),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
