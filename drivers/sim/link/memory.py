"""A device's memory that survives the loss of power: the event ring, keys and results, the count of cards.

`Memory` lives as long as its object: for tests, which boot a new DeviceLink on the old memory.
`MemoryFile`, beside it, keeps the same in a file and survives a killed process.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from drivers.errors import Misuse
from drivers.link.limits import HIGHEST
from drivers.protocol.codes import Status

CAPACITY = 1024
RESERVE = 64
"""With this many slots left no card may start and minor events are not kept."""
RESULTS = 32
CommandOutcome = tuple[Status, str]
"""How a command ended, and why, in words."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A stored event: the payload it is sent as, and whether it is critical."""

    payload: bytes
    critical: bool


@dataclass(frozen=True, slots=True)
class MissingEvents:
    """Numbers the ring does not hold."""

    first: int
    last: int


class Memory:
    """What a device knows after a boot. Each method is durable when it returns, or when the outermost
    `together` ends."""

    def __init__(self, capacity: int = CAPACITY, draw: Callable[[int], bytes] = os.urandom) -> None:
        self.capacity = capacity
        self._draw = draw
        self._ring: dict[int, StoredEvent] = {}
        self._results: dict[int, CommandOutcome] = {}
        self._uncommitted = 0
        if not (self._load() and self._possible()):
            self.format()

    def format(self) -> None:
        """Forgets everything and begins a new log."""
        self._ring.clear()
        self._results.clear()
        self._uncommitted = 0
        with self.transaction():
            self._erase()
            self._set("log", self._draw(8))
            for name in ("newest", "committed", "last_key", "begun", "cards", "moving"):
                self._set(name, 0)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is done inside becomes durable at once or not at all."""
        yield

    @property
    def oldest(self) -> int:
        """The first number the ring holds; the next one if it holds none."""
        return next(iter(self._ring), self.newest + 1)

    @property
    def free(self) -> int:
        """Slots that hold no uncommitted event."""
        return self.capacity - self._uncommitted

    @property
    def full(self) -> bool:
        """No more than the reserve is left."""
        return self.free <= RESERVE

    def store(self, payload: bytes, *, minor: bool, critical: bool = False) -> int:
        """Uses up the number `newest` + 1, which the payload must carry, and keeps the event if it may."""
        number = self.newest + 1
        with self.transaction():
            if not (minor and self.full) and self._make_room():
                self._ring[number] = StoredEvent(payload, critical)
                self._uncommitted += 1
                self._save_event(number, self._ring[number])
            self._set("newest", number)
        return number

    def read(self, number: int) -> StoredEvent | MissingEvents:
        """The event with this number (at most `newest`), or the whole gap that begins there."""
        stored = self._ring.get(number)
        if stored is not None:
            return stored
        last = min((held for held in self._ring if held > number), default=self.newest + 1) - 1
        return MissingEvents(number, last)

    def commit(self, number: int) -> None:
        """The host has all up to `number` on disk: their slots may be used again. Never goes back."""
        if number > self.newest:
            raise Misuse(f"commit of event {number}: the newest is {self.newest}")
        if number <= self.committed:
            return
        self._uncommitted -= sum(self.committed < held <= number for held in self._ring)
        self._set("committed", number)

    def begin_card(self) -> None:
        """Notes that a card is about to move; it must not before this returns."""
        if self.moving:
            raise Misuse(f"a second card begins to move while number {self.cards + 1} does")
        self._set("moving", 1)

    def end_card(self) -> int:
        """The card is out: counts it. Store its event inside the same `together`."""
        if not self.moving:
            raise Misuse(f"card {self.cards + 1} ends that never began to move")
        with self.transaction():
            self._set("moving", 0)
            self._set("cards", self.cards + 1)
        return self.cards

    def begin_action(self, key: int) -> None:
        """Notes an action as begun; nothing must move before this returns."""
        if key <= self.last_key:
            raise Misuse(f"action {key} begins: keys up to {self.last_key} were seen")
        with self.transaction():
            self._set("last_key", key)
            self._set("begun", key)

    def end_action(self, key: int, status: Status, text: str = "") -> None:
        """Keeps a result: of the action that was begun, of one that was refused, of a key that is burned."""
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
        """How the action ended, if that is still known."""
        return self._results.get(key)

    log: bytes
    newest: int
    committed: int
    last_key: int
    begun: int
    """The key of the action that runs; 0: none."""
    cards: int
    """All cards that left in this log."""
    moving: int
    """1 while a card moves."""

    def _possible(self) -> bool:
        """Whether a device can have these numbers; a memory with the numbers of erased flash is unusable."""
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
        """Whether there was a memory to go on with."""
        return False

    def _erase(self) -> None:
        """Durably forgets everything."""

    def _save_value(self, name: str, value: int | bytes) -> None:
        """Makes a value durable."""

    def _save_event(self, number: int, stored: StoredEvent | None) -> None:
        """Makes a slot's content durable, or that it is free."""

    def _save_result(self, key: int, outcome: CommandOutcome | None) -> None:
        """Makes a result durable, or that it is forgotten."""
