"""A stage whose shoe and shuffler are the sample devices in C."""

import asyncio
from typing import ClassVar, Final

from controller.demo.processes import DIES_WITH_US
from tests.conformance.firmware import programs
from tests.fixtures.process_table import ForkedStage

SAMPLES: Final = ("shoe", "shuffler")


class SampleStage(ForkedStage):
    """The stage of the demonstration, sealed and on pseudo-terminals."""

    in_c: ClassVar[tuple[str, ...]] = SAMPLES

    async def start_device(self, kind: str) -> None:
        """Starts a device with its old memory."""
        if kind not in self.in_c:
            await super().start_device(kind)
            return
        with (self.folder / f"{kind}.log").open("ab") as log:
            self.devices[kind] = await asyncio.create_subprocess_exec(
                *DIES_WITH_US,
                programs() / "tsl-sample",
                "--class",
                kind,
                *self._device_options(kind),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
