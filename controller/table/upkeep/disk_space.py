"""Checks regularly how much room the journal's disks have, and whether there are two of them."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from controller.table.record.causes import cause
from controller.table.record.events import DiskLevel, DiskSpace, Input, Noticed

PERIOD = 10.0
"""Seconds between two looks."""
WARN_FILES = 1000
STOP_FILES = 100
"""As `warn` and `stop`, counted in files: a disk may be full of small ones."""


MIRROR = cause("mirror")
SHARED = "The journal's mirror is on the disk of the journal, {folder}: one fault takes both"
MOVED = "The disk of the journal's mirror is not at {folder} any more: mount it again"
GONE = "The folder of the journal's mirror, {folder}, cannot be looked at: {why}"
LOST_FILES = "The journal's mirror was taken away: {why}. Put it back, then start the service again"


class FileSystem(Protocol):
    """What os.statvfs tells."""

    @property
    def f_frsize(self) -> int:
        """Bytes of a block."""

    @property
    def f_bavail(self) -> int:
        """Free blocks for whoever is not root."""

    @property
    def f_files(self) -> int:
        """Files that there may be; 0: the file system does not count them."""

    @property
    def f_favail(self) -> int:
        """Files that there may be yet, for whoever is not root."""


@dataclass(frozen=True, slots=True)
class SpaceLimits:
    """Free bytes under which there is a warning, and under which no round begins; `warn` is more."""

    warn: int
    stop: int


class DiskWatch:
    """Folders by disk ("journal", "mirror"), and how the table believes these disks to be.

    A disk gets better only once there is a tenth more room than the limit, so that it does not go to and
    fro. `free` has the bytes of each disk at the last look.
    """

    def __init__(
        self,
        folders: Mapping[str, Path],
        limits: SpaceLimits,
        believed: Mapping[str, DiskLevel],
        statvfs: Callable[[Path], FileSystem] = os.statvfs,
    ) -> None:
        self._folders, self._limits, self._statvfs = folders, limits, statvfs
        self._levels = dict(believed)
        self.free: dict[str, int] = {}

    def check(self) -> list[DiskSpace]:
        """Disks that are at another level than before. One that is gone is not told of here: whoever writes
        to it notices."""
        self.free = {}
        return [space for disk in self._levels if (space := self._check(disk))]

    def _check(self, disk: str) -> DiskSpace | None:
        try:
            space = self._space(disk)
        except OSError:
            return None
        if disk in self._folders:
            self.free[disk] = space.free
        if space.level == self._levels[disk]:
            return None
        self._levels[disk] = space.level
        return space

    def _space(self, disk: str) -> DiskSpace:
        if disk not in self._folders:
            return DiskSpace("enough", 0, disk)
        found = self._statvfs(self._folders[disk])
        free = found.f_bavail * found.f_frsize
        files = found.f_favail if found.f_files else None
        before, limits = self._levels[disk], self._limits
        level = max(
            _level(free, before, limits.warn, limits.stop), _level(files, before, WARN_FILES, STOP_FILES)
        )
        scarce = files is not None and files < _eased(WARN_FILES)
        return DiskSpace(LEVELS[level], free, disk, files if scarce else None)


class MirrorWatch:
    """The folders of a journal and of its mirror, and whether the mirror is on a disk of its own.

    Two folders are on one file system if they have the same device number. A disk that is unmounted leaves
    its mount point, an empty folder on another disk: so a mirror whose device number is another one than
    when the daemon started has lost its disk, even where that is not the journal's.
    `taken` says what happened to the mirror's open files; empty: nothing. `guarded` tells whether the
    mirror needs a disk of its own now; `believed` is the alert that the table has already.
    """

    def __init__(
        self,
        journal: Path,
        mirror: Path | None,
        *,
        believed: str,
        guarded: Callable[[], bool],
        lost_files: Callable[[], str] = str,
        device: Callable[[Path], int] = lambda folder: folder.stat().st_dev,
    ) -> None:
        self._journal, self._mirror, self._device = journal, mirror, device
        self._reported, self._guarded, self._lost_files = believed, guarded, lost_files
        self._at_start = device(mirror) if mirror else 0

    @property
    def fault(self) -> str:
        """What is wrong, in a sentence; empty if nothing is, or if there is no mirror."""
        if self._mirror is None:
            return ""
        try:
            now, journal = self._device(self._mirror), self._device(self._journal)
        except OSError as error:
            return GONE.format(folder=self._mirror, why=error.strerror)
        if now != self._at_start:
            return MOVED.format(folder=self._mirror)
        if why := self._lost_files():
            return LOST_FILES.format(why=why)
        return SHARED.format(folder=self._journal) if now == journal else ""

    def check(self) -> list[Noticed]:
        """The changes since the last check."""
        fault = self.fault if self._guarded() or self._lost_files() else ""
        if fault == self._reported:
            return []
        self._reported = fault
        return [Noticed(fault, MIRROR)]


async def run_checks(
    checks: Iterable[Callable[[], Iterable[Input]]],
    deliver: Callable[[Input], None],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Repeat these checks until cancelled."""
    while True:
        await sleep(PERIOD)
        for look in checks:
            for found in look():
                deliver(found)


LEVELS: tuple[DiskLevel, ...] = ("enough", "low", "stop")


def _level(left: int | None, before: DiskLevel, warn: int, stop: int) -> int:
    """The place in LEVELS of what is left (None: plenty)."""
    if left is None:
        return 0
    limits = [
        limit if LEVELS.index(before) < place else _eased(limit) for place, limit in ((1, warn), (2, stop))
    ]
    return sum(left < limit for limit in limits)


def _eased(limit: int) -> int:
    return limit + limit // 10
