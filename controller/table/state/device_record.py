"""What the journal knows of each device: its last event and its action keys."""

from dataclasses import dataclass, field

from drivers.adapters.options import NAMES
from drivers.link.commands import key_floor
from drivers.link.facts import Bookmark
from drivers.link.limits import HIGHEST
from drivers.link.reports import DeviceUp


@dataclass(slots=True)
class DeviceRecord:
    """One device; `log` is empty until it has connected once."""

    serial: str
    log: bytes = b""
    newest: int = 0
    cards: int = 0
    last_key: int = 0
    open_actions: list[int] = field(default_factory=list)
    running: bool = False
    adapter: str = ""
    """The make of a commercial shoe, empty for a device that speaks TSL/1."""
    hardware: str = ""
    firmware: str = ""
    ignored_key: int = 0
    """A key in the journal that no device can have had; it is ignored. 0 if there is none. Older versions
    recorded it from a device that sent impossible numbers."""

    def __post_init__(self) -> None:
        """The record as a snapshot stores it."""
        self.cards = self.cards if self.cards <= HIGHEST else 0
        if self.last_key > HIGHEST:
            self.ignored_key = self.last_key
            self.open_actions = [key for key in self.open_actions if key <= HIGHEST]
            self.last_key = max(self.open_actions, default=0)

    @property
    def impossible(self) -> str:
        """The impossible numbers in the journal, in a clause; empty if there are none."""
        if self.newest > HIGHEST:
            return f"event {self.newest}: its log counts as unknown"
        return f"key {self.ignored_key}: it counts for nothing" if self.ignored_key else ""

    def has_event(self, log: bytes, number: int) -> bool:
        """Whether this event, or one that this log cannot tell from it, was taken before."""
        return log != self.log or number <= self.newest

    def take_over(self, up: DeviceUp) -> bool:
        """Take over what a connected device reports about itself. Returns whether its memory was replaced."""
        facts = up.facts
        self._agree_key(facts.last_key)
        self.adapter = facts.hardware if facts.hardware in NAMES else ""
        self.hardware, self.firmware = facts.hardware, facts.firmware
        if up.relation == "known":
            return False
        met = bool(self.log)
        if up.relation == "new log":
            self.log, self.newest = facts.log, facts.committed
        self.cards = facts.cards
        self.open_actions.clear()
        return met

    def bookmark(self) -> Bookmark:
        """What a new session needs. A log that ends at an impossible number counts as unknown."""
        log, newest = (b"", 0) if self.newest > HIGHEST else (self.log, self.newest)
        return Bookmark(log, newest, self.last_key, self.cards, tuple(self.open_actions))

    def open_action(self, key: int) -> bool:
        """An action is open under this new key; returns whether a device can accept the key."""
        if key > HIGHEST:
            self.ignored_key = key
            return False
        self.last_key = key
        self.open_actions.append(key)
        return True

    def _agree_key(self, seen: int) -> None:
        """The device has seen action keys up to `seen`."""
        impossible = seen > HIGHEST
        self.ignored_key = seen if impossible else 0
        self.last_key = self.last_key if impossible else key_floor(self.last_key, seen)
