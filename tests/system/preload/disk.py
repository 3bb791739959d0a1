"""Controls the disk and the clock of a process that has `disk.c` loaded."""

import os
from pathlib import Path

from tests.system.preload.controls import Controls, compiled


def build(folder: Path) -> Path:
    return compiled(folder, "disk.c", "power.c")


class Disk(Controls):
    """`folder`: what is on this disk."""

    FIELDS = (
        "calls",
        "kill_at",
        "torn",
        "power",
        "fail_from",
        "fail_most",
        "error",
        "sync_us",
        "clock_us",
        "free",
        "spared",
    )
    VARIABLE = "DRILL_DISK"
    MORE = 4096

    def __init__(self, path: Path, folder: Path | None = None) -> None:
        super().__init__(path)
        if folder is not None:
            self.holds(folder)

    def holds(self, folder: Path) -> None:
        """Everything under this folder is on the disk; nothing else is."""
        self._memory[self._start :] = str(folder.resolve()).encode().ljust(self.MORE, b"\0")

    @property
    def calls(self) -> int:
        """How many calls changed something on the disk."""
        return self._get("calls")

    @property
    def sick(self) -> bool:
        """Whether calls fail."""
        return self._get("fail_from") > 0

    def begin(self) -> None:
        """Counts from 0 again, on a healthy disk."""
        self.mend()
        self._set(calls=0, kill_at=0, torn=0, power=0)

    def kill_at(self, call: int, *, torn: bool = False, power: int = 0) -> None:
        """Kills the process instead of this call, counted from 1; `torn`: in the middle of it. `power` 1:
        everything not synced is lost, too; 2 and 3: that of some files."""
        self._set(kill_at=call, torn=int(torn), power=power)

    def fail(self, error: int, *, after: int = 0, most: int = 0) -> None:
        """From now on, except the next `after` calls, each fails with this errno, 0: takes half of its bytes;
        `most` of them, 0: all."""
        self._set(error=error, fail_most=most, fail_from=self.calls + after + 1)

    def mend(self) -> None:
        """Makes the disk healthy again."""
        self._set(fail_from=0, fail_most=0, error=0, sync_us=0, free=0)

    def slow(self, seconds: float) -> None:
        """The time that fsync and fdatasync take, or until the disk is mended."""
        self._set(sync_us=round(seconds * 1e6))

    def step_clock(self, seconds: float) -> None:
        """How far the wall clock is ahead of the computer's."""
        self._set(clock_us=round(seconds * 1e6))

    def free(self, count: int | None) -> None:
        """How many bytes are free; None: as many as there are."""
        self._set(free=0 if count is None else count + 1)

    def spare(self, pid: int) -> None:
        """Leaves this process, which tests, alone."""
        self._set(spared=pid)


def loaded() -> Disk | None:
    """The controls of this very process, if it was started with them."""
    return Disk(Path(os.environ[Disk.VARIABLE])) if Disk.VARIABLE in os.environ else None
