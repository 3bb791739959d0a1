"""Control fields that a test shares with a library of this folder, which a process loads before libc."""

import mmap
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

HERE = Path(__file__).parent
FLAGS = ("-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")


def compiled(folder: Path, *sources: str) -> Path:
    """Builds a library from these sources with the C compiler."""
    library = (folder / sources[0]).with_suffix(".so")
    subprocess.run(["gcc", *FLAGS, "-o", library, *(HERE / name for name in sources), "-ldl"], check=True)
    return library


class Controls:
    """64-bit fields in the file `path`, in the order of the C structure. They may change at any time."""

    FIELDS: ClassVar[tuple[str, ...]]
    VARIABLE: ClassVar[str]
    """The environment variable that names the file."""
    MORE: ClassVar[int] = 0
    """Bytes after the fields."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._start = 8 * len(self.FIELDS)
        size = self._start + self.MORE
        if not path.exists():
            path.write_bytes(bytes(size))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), size)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._memory.close()

    def environment(self, library: Path) -> Mapping[str, str]:
        """The environment with which a process is started."""
        return {"LD_PRELOAD": str(library), self.VARIABLE: str(self._path)}

    def _get(self, name: str) -> int:
        return int(struct.unpack_from("q", self._memory, 8 * self.FIELDS.index(name))[0])

    def _set(self, **values: int) -> None:
        for name, value in values.items():
            struct.pack_into("q", self._memory, 8 * self.FIELDS.index(name), value)
