"""What the journal knows of each device: where its events and action keys stand."""

from dataclasses import dataclass, field

from drivers.adapters.names import NAMES
from drivers.link.facts import Bookmark
from drivers.reports import DeviceUp


@dataclass(slots=True)
class Known:
    """One device as the journal has it; `log` is empty for one that was never met."""

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

    def has(self, log: bytes, number: int) -> bool:
        """Whether this event, or one that this log cannot tell from it, was taken before."""
        return log != self.log or number <= self.newest

    def meet(self, up: DeviceUp) -> bool:
        """Take over what the device says of itself; whether its memory is another one than before."""
        facts = up.facts
        self.last_key = max(self.last_key, facts.last_key)
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
        """What a new session has to know."""
        return Bookmark(self.log, self.newest, self.last_key, self.cards, tuple(self.open_actions))

    def ask(self, key: int) -> None:
        """An action is open under this fresh key."""
        self.last_key = key
        self.open_actions.append(key)
