"""Controls the disk and the clock of a process that has `disk.c` loaded."""

import mmap
import os
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

SOURCES: Final = tuple(Path(__file__).with_name(name) for name in ("disk.c", "power.c"))
FIELDS: Final = (
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
SIZE: Final = 8 * len(FIELDS) + 4096
VARIABLE: Final = "DRILL_DISK"


def build(folder: Path) -> Path:
    """Builds the library with the C compiler."""
    library = folder / "disk.so"
    flags = ("-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")
    subprocess.run(["gcc", *flags, "-o", library, *SOURCES, "-ldl"], check=True)
    return library


class Disk:
    """The controls of one process; `folder`: what is on this disk. Each may be changed at any time."""

    def __init__(self, words: Path, folder: Path | None = None) -> None:
        if not words.exists():
            words.write_bytes(bytes(SIZE))
        with words.open("r+b") as file:
            self._words = mmap.mmap(file.fileno(), SIZE)
        self._path = words
        if folder is not None:
            self.holds(folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._words.close()

    def holds(self, folder: Path) -> None:
        """Everything under this folder is on the disk; nothing else is."""
        name = str(folder.resolve()).encode()
        self._words[8 * len(FIELDS) : SIZE] = name.ljust(SIZE - 8 * len(FIELDS), b"\0")

    def environment(self, library: Path) -> Mapping[str, str]:
        """The environment with which a process is started."""
        return {"LD_PRELOAD": str(library), VARIABLE: str(self._path)}

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
        """The seconds that fsync and fdatasync take, or until it is mended."""
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

    def _get(self, name: str) -> int:
        return int(struct.unpack_from("q", self._words, 8 * FIELDS.index(name))[0])

    def _set(self, **words: int) -> None:
        for name, value in words.items():
            struct.pack_into("q", self._words, 8 * FIELDS.index(name), value)


def loaded() -> Disk | None:
    """The controls of this very process, if it was started with them."""
    return Disk(Path(os.environ[VARIABLE])) if VARIABLE in os.environ else None
