"""A floor as a process: `tableside floor run`."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.fixtures.waiting import PATIENCE, come_true

PROGRAM = (sys.executable, "-m", "controller", "floor", "run", "--config")


class FloorProcess:
    """A floor as a process, with the lines of its log."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process, self.lines = process, list[dict[str, object]]()
        self.killed = False

    async def read_log(self) -> None:
        assert self.process.stderr
        while line := await self.process.stderr.readline():
            if line.startswith(b"{"):
                self.lines.append(json.loads(line))

    async def kill(self) -> None:
        """As a power cut does."""
        self.killed = True
        self.process.kill()
        await self.process.wait()

    def logged(self, event: str) -> list[dict[str, object]]:
        return [line for line in self.lines if line.get("event") == event]


@asynccontextmanager
async def running(config: Path) -> AsyncIterator[FloorProcess]:
    process = await asyncio.create_subprocess_exec(*PROGRAM, str(config), stderr=asyncio.subprocess.PIPE)
    floor = FloorProcess(process)
    reading = asyncio.create_task(floor.read_log())
    try:
        await come_true(lambda: floor.logged("floor"))
        yield floor
    finally:
        if not floor.killed:
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        await reading
