"""A floor as a process: `tableside floor run`."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.fixtures.fork_server import start_module
from tests.fixtures.waiting import PATIENCE, come_true

RUN = ("controller", "floor", "run", "--config")
PROGRAM = (sys.executable, "-m", *RUN)


class FloorProcess:
    """A floor as a process, with the lines of its log."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process, self.lines = process, list[dict[str, object]]()
        self.killed = False

    async def read_log(self, log: asyncio.StreamReader) -> None:
        while line := await log.readline():
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
    ours, theirs = os.pipe()
    with os.fdopen(theirs, "wb") as log:
        floor = FloorProcess(await start_module((*RUN, str(config)), log))
    pipe, lines = os.fdopen(ours, "rb"), asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), pipe)
    reading = asyncio.create_task(floor.read_log(lines))
    try:
        await come_true(lambda: floor.logged("floor"))
        yield floor
    finally:
        if not floor.killed:
            floor.process.terminate()
            assert await asyncio.wait_for(floor.process.wait(), PATIENCE) == 0
        await reading
        transport.close()
