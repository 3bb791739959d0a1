"""A device's memory that survives the loss of power: the event ring, keys and results, the count of cards.

`Memory` lasts as long as its object. Tests boot a new DeviceLink on an old memory. `MemoryFile` keeps the
same in a file and survives a killed process.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from drivers.errors import Misuse
from drivers.link.limits import HIGHEST
from drivers.protocol.codes import Status

CAPACITY = 1024
RESERVE = 64
"""With so many slots left, no card may start and minor events are not kept."""
RESULTS = 32
CommandOutcome = tuple[Status, str]
"""How a command ended, and why."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A stored event: its payload, and whether it is critical."""

    payload: bytes
    critical: bool


@dataclass(frozen=True, slots=True)
class MissingEvents:
    """Numbers that the ring does not have."""

    first: int
    last: int


class Memory:
    """What a device knows after a boot. Each change is durable when the method returns, or when the
    outermost `transaction` ends."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self.capacity = capacity
        self._ring: dict[int, StoredEvent] = {}
        self._results: dict[int, CommandOutcome] = {}
        self._uncommitted = 0
        if not (self._load() and self._possible()):
            self.format()

    def format(self) -> None:
        """Forgets everything. The next boot begins a new log."""
        self._ring.clear()
        self._results.clear()
        self._uncommitted = 0
        with self.transaction():
            self._erase()
            self._set("log", b"")
            for name in ("newest", "committed", "last_key", "begun", "cards", "moving"):
                self._set(name, 0)

    def begin_log(self, log: bytes) -> None:
        """Gives a new log its id."""
        self._set("log", log)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Makes everything inside durable at once or not at all."""
        yield

    @property
    def oldest(self) -> int:
        """The first number in the ring, or the next number if the ring is empty."""
        return next(iter(self._ring), self.newest + 1)

    @property
    def free(self) -> int:
        """How many slots have no uncommitted event."""
        return self.capacity - self._uncommitted

    @property
    def full(self) -> bool:
        """Whether only the reserve is left."""
        return self.free <= RESERVE

    def store(self, payload: bytes, *, minor: bool, critical: bool = False) -> int:
        """Uses up the number `newest` + 1, which the payload must have, and keeps the event if there is
        room."""
        number = self.newest + 1
        with self.transaction():
            if not (minor and self.full) and self._make_room():
                self._ring[number] = StoredEvent(payload, critical)
                self._uncommitted += 1
                self._save_event(number, self._ring[number])
            self._set("newest", number)
        return number

    def read(self, number: int) -> StoredEvent | MissingEvents:
        """Returns the event with this number (at most `newest`), or the whole gap that begins there."""
        stored = self._ring.get(number)
        if stored is not None:
            return stored
        last = min((held for held in self._ring if held > number), default=self.newest + 1) - 1
        return MissingEvents(number, last)

    def commit(self, number: int) -> None:
        """Frees the slots up to `number`, which the host has on disk. Never goes back."""
        if number > self.newest:
            raise Misuse(f"commit of event {number}: the newest is {self.newest}")
        if number <= self.committed:
            return
        self._uncommitted -= sum(self.committed < held <= number for held in self._ring)
        self._set("committed", number)

    def begin_card(self) -> None:
        """Notes that a card is about to move. It must not move before this returns."""
        if self.moving:
            raise Misuse(f"a second card begins to move while number {self.cards + 1} does")
        self._set("moving", 1)

    def end_card(self) -> int:
        """Counts a card that left. Store its event in the same `transaction`."""
        if not self.moving:
            raise Misuse(f"card {self.cards + 1} ends that never began to move")
        with self.transaction():
            self._set("moving", 0)
            self._set("cards", self.cards + 1)
        return self.cards

    def begin_action(self, key: int) -> None:
        """Notes an action as begun. Nothing must move before this returns."""
        if key <= self.last_key:
            raise Misuse(f"action {key} begins: keys up to {self.last_key} were seen")
        with self.transaction():
            self._set("last_key", key)
            self._set("begun", key)

    def end_action(self, key: int, status: Status, text: str = "") -> None:
        """Keeps the result of the action that was begun, of one that was refused, or of a burned key."""
        with self.transaction():
            self._set("last_key", max(self.last_key, key))
            self._set("begun", 0 if self.begun == key else self.begun)
            self._results[key] = (status, text)
            self._save_result(key, (status, text))
            while len(self._results) > RESULTS:
                forgotten = min(self._results)
                del self._results[forgotten]
                self._save_result(forgotten, None)

    def result(self, key: int) -> CommandOutcome | None:
        """The result of an action. None if it is not kept."""
        return self._results.get(key)

    log: bytes
    """The id of the log. Empty: a boot must begin one."""
    newest: int
    committed: int
    last_key: int
    begun: int
    """The key of the action that runs. 0 if there is none."""
    cards: int
    """How many cards left in this log."""
    moving: int
    """1 while a card moves."""

    def _possible(self) -> bool:
        """Whether the numbers are possible. A memory with the numbers of erased flash is unusable."""
        return (
            self.committed <= self.newest <= HIGHEST
            and self.cards <= self.newest
            and self.last_key <= HIGHEST
        )

    def _make_room(self) -> bool:
        if len(self._ring) < self.capacity:
            return True
        oldest = self.oldest
        if oldest > self.committed:
            return False
        del self._ring[oldest]
        self._save_event(oldest, None)
        return True

    def _set(self, name: str, value: int | bytes) -> None:
        setattr(self, name, value)
        self._save_value(name, value)

    def _load(self) -> bool:
        """Loads a stored memory. Returns whether there was one."""
        return False

    def _erase(self) -> None:
        """Durably forgets everything."""

    def _save_value(self, name: str, value: int | bytes) -> None:
        """Makes a value durable."""

    def _save_event(self, number: int, stored: StoredEvent | None) -> None:
        """Makes the content of a slot durable, or that the slot is free."""

    def _save_result(self, key: int, outcome: CommandOutcome | None) -> None:
        """Makes a result durable, or that it is forgotten."""


TABLES = """
create table if not exists value (name text primary key, value) without rowid;
create table if not exists ring (number integer primary key, payload blob, critical integer);
create table if not exists result (key integer primary key, status integer, text text);
"""


class MemoryFile(Memory):
    """A memory in an SQLite file. It survives kill -9, but not a power cut of the machine that simulates.
    A file that cannot be read counts as unusable memory and is formatted."""

    def __init__(self, path: Path, capacity: int = CAPACITY) -> None:
        self._depth = 0
        self._file = _opened(path)
        super().__init__(capacity)

    def close(self) -> None:
        self._file.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if self._depth:
            yield
            return
        self._file.execute("begin immediate")
        self._depth = 1
        try:
            yield
        except BaseException:
            self._file.execute("rollback")
            raise
        else:
            self._file.execute("commit")
        finally:
            self._depth = 0

    def _load(self) -> bool:
        values = self._file.execute("select name, value from value").fetchall()
        for name, value in values:
            setattr(self, name, value)
        for number, payload, critical in self._file.execute("select * from ring order by number"):
            self._ring[number] = StoredEvent(payload, bool(critical))
            self._uncommitted += number > self.committed
        for key, status, text in self._file.execute("select * from result"):
            self._results[key] = (Status(status), text)
        return bool(values)

    def _erase(self) -> None:
        for statement in ("delete from value", "delete from ring", "delete from result"):
            self._file.execute(statement)

    def _save_value(self, name: str, value: int | bytes) -> None:
        self._file.execute("replace into value values (?, ?)", (name, value))

    def _save_event(self, number: int, stored: StoredEvent | None) -> None:
        if stored is None:
            self._file.execute("delete from ring where number = ?", (number,))
        else:
            self._file.execute("insert into ring values (?, ?, ?)", (number, stored.payload, stored.critical))

    def _save_result(self, key: int, outcome: CommandOutcome | None) -> None:
        if outcome is None:
            self._file.execute("delete from result where key = ?", (key,))
        else:
            self._file.execute("replace into result values (?, ?, ?)", (key, *outcome))


def _opened(path: Path) -> sqlite3.Connection:
    try:
        return _connected(path)
    except sqlite3.OperationalError:
        raise  # locked, or no such folder: nothing is wrong with what it holds
    except sqlite3.DatabaseError:
        for part in ("", "-wal", "-shm"):
            path.with_name(path.name + part).unlink(missing_ok=True)
        return _connected(path)


def _connected(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, isolation_level=None)
    try:
        file.execute("pragma journal_mode = wal")
        file.execute("pragma synchronous = off")
        file.executescript(TABLES)
        _check(file)
    except sqlite3.DatabaseError:
        file.close()
        raise
    return file


def _check(file: sqlite3.Connection) -> None:
    """Checks the pages, because SQLite notices a damaged page only when it reads it."""
    [(found,)] = file.execute("pragma quick_check(1)").fetchall()
    if found != "ok":
        raise sqlite3.DatabaseError(found)
