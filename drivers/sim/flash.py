"""The flash of a simulated device: two slots of bytes, and a few values. Both outlive a loss of power.

`Flash` lives as long as its object, `FlashFile` in a file next to the device's memory.
"""

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from drivers.sim.link.slots import FlashValue

TABLES = """
create table if not exists value (name text primary key, value) without rowid;
create table if not exists page (slot text, place integer, data blob, primary key (slot, place));
"""


class PowerLost(Exception):
    """The power went during a write. The caller switches the device off."""


class Flash:
    """`put` is atomic; `write` may be torn. `writes` counts both; a `write` counts twice, for its
    beginning and its middle."""

    def __init__(self) -> None:
        self.writes = 0
        self._fails_at = 0
        self._values: dict[str, FlashValue] = {}
        self._slots: dict[str, bytearray] = {"A": bytearray(), "B": bytearray()}

    def fail_at(self, write: int) -> None:
        """Makes the power fail, once, before the write with this number, counted from now."""
        self._fails_at = self.writes + write

    def get(self, name: str) -> FlashValue | None:
        """None if it was never put."""
        return self._values.get(name)

    def put(self, values: Mapping[str, FlashValue]) -> None:
        self._strike()
        self._values.update(values)
        self._save(values)

    def write(self, slot: str, offset: int, data: bytes) -> None:
        """Writes bytes at `offset` and erases everything behind them."""
        self._strike()
        half = len(data) // 2
        self._program(slot, offset, data[:half])
        self._strike()
        self._program(slot, offset, data)

    def read(self, slot: str) -> bytes:
        return bytes(self._slots[slot])

    def _strike(self) -> None:
        self.writes += 1
        if self.writes == self._fails_at:
            raise PowerLost

    def _program(self, slot: str, offset: int, data: bytes) -> None:
        self._slots[slot][offset:] = data
        self._save_page(slot, offset, data)

    def _save(self, values: Mapping[str, FlashValue]) -> None: ...

    def _save_page(self, slot: str, place: int, data: bytes) -> None:
        """Stores bytes, and that none follow them."""


class FlashFile(Flash):
    """An SQLite file. It survives kill -9, but not a power cut of the machine that simulates."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("pragma journal_mode = wal")
        self._file.execute("pragma synchronous = off")
        self._file.executescript(TABLES)
        self._values.update(self._file.execute("select name, value from value"))
        for slot, data in self._file.execute("select slot, data from page order by place"):
            self._slots[slot] += data

    def close(self) -> None:
        self._file.close()

    def _save(self, values: Mapping[str, FlashValue]) -> None:
        self._file.execute("begin immediate")
        self._file.executemany("replace into value values (?, ?)", values.items())
        self._file.execute("commit")

    def _save_page(self, slot: str, place: int, data: bytes) -> None:
        self._file.execute("begin immediate")
        self._file.execute("delete from page where slot = ? and place >= ?", (slot, place))
        self._file.execute("insert into page values (?, ?, ?)", (slot, place, data))
        self._file.execute("commit")
