"""Controls a process that has `descriptors.c` loaded."""

import mmap
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

SOURCE: Final = Path(__file__).with_name("descriptors.c")
FIELDS: Final = ("calls", "fail_from", "fail_most")
SIZE: Final = 8 * len(FIELDS)


def build(folder: Path) -> Path:
    """Builds the library with the C compiler."""
    library = folder / "descriptors.so"
    flags = ("-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")
    subprocess.run(["gcc", *flags, "-o", library, SOURCE, "-ldl"], check=True)
    return library


class Descriptors:
    """The control words of one process; they may be changed at any time."""

    def __init__(self, words: Path) -> None:
        words.write_bytes(bytes(SIZE))
        with words.open("r+b") as file:
            self._words = mmap.mmap(file.fileno(), SIZE)
        self._path = words

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._words.close()

    def environment(self, library: Path) -> Mapping[str, str]:
        """The environment with which a process is started."""
        return {"LD_PRELOAD": str(library), "DRILL_DESCRIPTORS": str(self._path)}

    @property
    def calls(self) -> int:
        """How many descriptors the process requested."""
        return self._get("calls")

    def begin(self) -> None:
        """Count from 0 again; no call is refused."""
        self._set(calls=0, fail_from=0, fail_most=0)

    def fail(self, call: int, *, most: int = 1) -> None:
        """Refuse this call, counted from 1; `most` calls in all, 0: also all that follow."""
        self._set(fail_most=most, fail_from=call)

    def _get(self, name: str) -> int:
        return int(struct.unpack_from("q", self._words, 8 * FIELDS.index(name))[0])

    def _set(self, **words: int) -> None:
        for name, value in words.items():
            struct.pack_into("q", self._words, 8 * FIELDS.index(name), value)
