"""Regular checks of the free space on the journal's disks, and of the mirror being on a disk of its own."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from controller.table.record.causes import cause
from controller.table.record.events import DiskLevel, DiskSpace, Input, Noticed

PERIOD = 10.0
"""Seconds between two checks."""
WARN_FILES = 1000
STOP_FILES = 100
"""As `warn` and `stop` of SpaceLimits, in files that can still be created: many small files can exhaust the
inodes of a disk."""


MIRROR = cause("mirror")
SHARED = "The journal's mirror is on the disk of the journal, {folder}: one fault takes both"
MOVED = "The disk of the journal's mirror is not at {folder} any more: mount it again"
GONE = "The folder of the journal's mirror, {folder}, cannot be looked at: {why}"
LOST_FILES = "The journal's mirror was taken away: {why}. Put it back, then start the service again"


class FileSystem(Protocol):
    """The fields of the result of os.statvfs that are used here."""

    @property
    def f_frsize(self) -> int:
        """Size of a block in bytes."""

    @property
    def f_bavail(self) -> int:
        """Free blocks for users other than root."""

    @property
    def f_files(self) -> int:
        """The most files that the file system can hold; 0 if it has no such limit."""

    @property
    def f_favail(self) -> int:
        """Files that users other than root can still create."""


@dataclass(frozen=True, slots=True)
class SpaceLimits:
    """Limits in bytes: with less than `warn` free an alert is raised, with less than `stop` free no round
    begins. `warn` is the larger one."""

    warn: int
    stop: int


class DiskWatch:
    """The levels of the disks.

    `folders` has a folder on each disk ("journal", "mirror"); `believed` has the level of each disk in the
    table's state. A disk improves its level only when it has a tenth more room than the limit, so that the
    level does not alternate. `free` has the free bytes of each disk at the last check.
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
        """The disks whose level has changed. A disk that cannot be read is left out: the next write to it
        fails and reports the fault."""
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
    """Checks that the journal's mirror exists and is on a disk of its own.

    Two folders are on the same file system if their device numbers are equal. When a disk is unmounted, its
    mount point remains, an empty folder on another disk. Therefore a mirror whose device number has changed
    since the daemon started has lost its disk, even if it is not on the journal's disk now.

    `lost_files` returns a sentence if the mirror's open files were removed or replaced, else an empty text.
    `guarded` returns whether the mirror needs a disk of its own now. `believed` is the text of the alert that
    the table already has, empty if it has none.
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
        """What is wrong, in a sentence; empty if nothing is wrong or no mirror is configured."""
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
        """The alert, or the end of the alert, if the fault has changed since the last check; else empty."""
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
    """Run all checks every PERIOD seconds and deliver the inputs that they return, until cancelled."""
    while True:
        await sleep(PERIOD)
        for look in checks:
            for found in look():
                deliver(found)


LEVELS: tuple[DiskLevel, ...] = ("enough", "low", "stop")


def _level(left: int | None, before: DiskLevel, warn: int, stop: int) -> int:
    """The index in LEVELS for what is left, with the level before; `left` is None if there is no limit."""
    if left is None:
        return 0
    limits = [
        limit if LEVELS.index(before) < place else _eased(limit) for place, limit in ((1, warn), (2, stop))
    ]
    return sum(left < limit for limit in limits)


def _eased(limit: int) -> int:
    return limit + limit // 10
