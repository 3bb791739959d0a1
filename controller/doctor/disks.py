"""The disks of the journal and of its mirror: free space, whether they can be written, and how fast.

While a daemon answers, nothing is written: it measures its own writes, and raises an alert if they are slow.
Otherwise a file without a name is written and disappears with its last use."""

import os
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from controller.doctor.finding import AS_ROOT, Finding, Status
from controller.doctor.subject import Subject
from controller.table.record.events import DiskLevel
from controller.table.upkeep.disk_space import DiskWatch, MirrorWatch, SpaceLimits

MEGABYTE: Final = 1_000_000
WRITES: Final = 20
BLOCK: Final = 4096
SLOW: Final = 0.02
"""Seconds of a flush from which a player notices it."""
STATUS: Final[dict[DiskLevel, Status]] = {"enough": "ok", "low": "warning", "stop": "fault"}
ROOM: Final = "Make room: move old exports and logs away, or give the journal a larger disk."


def check_disks(subject: Subject) -> Iterator[Finding]:
    section = subject.config.journal
    folders = {"journal": subject.journal.parent}
    if section.mirror:
        folders["mirror"] = Path(section.mirror).parent
    limits = SpaceLimits(section.warn_free * MEGABYTE, section.stop_free * MEGABYTE)
    for disk, folder in folders.items():
        check = f"disk of the {disk}"
        try:
            yield _space(check, folder, limits)
            yield _writes(f"{check}, writing", folder, subject)
        except OSError as error:
            status: Status = "not checked" if isinstance(error, PermissionError) else "fault"
            yield Finding(check, status, f"{folder}: {error.strerror}")
    if section.mirror and (fault := _mirror(folders)):
        yield Finding("mirror", "warning", fault, "Put the mirror on another disk (journal.mirror).")


def _space(check: str, folder: Path, limits: SpaceLimits) -> Finding:
    found = os.statvfs(folder)
    watch = DiskWatch({"disk": folder}, limits, {"disk": "enough"})
    space = next(iter(watch.check()), None)
    level = space.level if space else "enough"
    text = f"{folder}: {watch.free['disk'] / MEGABYTE:,.0f} MB free"
    if found.f_flag & os.ST_RDONLY:
        todo = "Look at the messages of the kernel (journalctl -k): a disk becomes read-only after a fault."
        return Finding(check, "fault", f"{folder} is mounted read-only", todo)
    if level == "enough":
        return Finding(check, "ok", text)
    files = f", {space.files:,} files" if space and space.files is not None else ""
    stops = "no round begins" if level == "stop" else "the table warns"
    return Finding(check, STATUS[level], f"{text}{files}: {stops}", ROOM)


def _writes(check: str, folder: Path, subject: Subject) -> Finding:
    if subject.core:
        return Finding(check, "not checked", "the daemon runs; it measures its own writes")
    if not os.access(folder, os.W_OK | os.X_OK):
        return Finding(check, "not checked", f"you may not write to {folder}", AS_ROOT)
    seconds = median(_flushes(folder))
    text = f"{folder}: written and flushed in {seconds * 1000:.1f} ms"
    if seconds > SLOW:
        todo = "A card waits for this time before its lamps change. Use a faster disk for the journal."
        return Finding(check, "warning", text, todo)
    return Finding(check, "ok", text)


def _flushes(folder: Path) -> Iterator[float]:
    """Seconds of each write that is on the disk."""
    file = os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600)
    try:
        for _ in range(WRITES):
            begun = perf_counter()
            os.write(file, bytes(BLOCK))
            os.fsync(file)
            yield perf_counter() - begun
    finally:
        os.close(file)


def _mirror(folders: dict[str, Path]) -> str:
    try:
        return MirrorWatch(folders["journal"], folders["mirror"], believed="", guarded=lambda: True).fault
    except OSError as error:
        return f"The folder of the journal's mirror: {error.strerror}"
