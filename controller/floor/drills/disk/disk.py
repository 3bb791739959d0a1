"""A disk that forgets, for those who try a loss of power: a process that serves a mounted folder."""

import sys
from asyncio import StreamReader, StreamWriter, create_subprocess_exec
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from controller.demo.processes import DIES_WITH_US, end_process
from controller.floor.drills.disk.server import FORGET, MOUNTED, REPLACE, SETTLE, unmount

MODULE: Final = "controller.floor.drills.disk.server"
END_LIMIT: Final = 10.0


class DiskAbsentError(Exception):
    """This computer does not let a drill mount a file system. The message says why."""


class DiskError(Exception):
    """The process of a disk has ended. The message names the disk's folder."""


class Disk:
    """What is stored below `folder` is on it. `pid`: of the process that serves it."""

    def __init__(self, folder: Path, pid: int, orders: StreamWriter, answers: StreamReader) -> None:
        self.folder, self.pid, self._orders, self._answers = folder, pid, orders, answers

    async def lose_power(self, seed: int | None = None) -> int:
        """Forget what was not synced; with a seed, a random half of it. Programs that use the disk must have
        been killed before. Returns how many bytes are forgotten."""
        return await self._order(FORGET if seed is None else f"{FORGET} {seed}")

    async def settle(self) -> None:
        """Sync everything, as a computer does by itself half a minute after a write."""
        await self._order(SETTLE)

    async def replace(self) -> None:
        """An empty disk takes its place."""
        await self._order(REPLACE)

    async def _order(self, order: str) -> int:
        """Raises DiskError."""
        self._orders.write(f"{order}\n".encode())
        if answer := await self._answers.readline():
            return int(answer)
        raise DiskError(f"the disk {self.folder} has ended")


@asynccontextmanager
async def forgetting_disk(folder: Path) -> AsyncIterator[Disk]:
    """The disk is empty in the beginning, and gone after the block; its folder is made if it is missing.
    Raises DiskAbsentError."""
    process = await create_subprocess_exec(
        *DIES_WITH_US, sys.executable, "-m", MODULE, str(folder), stdin=PIPE, stdout=PIPE
    )
    try:
        if not process.stdin or not process.stdout:
            raise DiskError(f"the disk {folder} takes no orders")
        said = (await process.stdout.readline()).decode().strip()
        if said != MOUNTED:
            raise DiskAbsentError(f"a disk that forgets needs Linux and the rights of root: {said}")
        yield Disk(folder, process.pid, process.stdin, process.stdout)
    finally:
        await end_process(process, END_LIMIT)
        unmount(folder)
