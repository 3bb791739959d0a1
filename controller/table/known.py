"""What the journal knows of each device: where its events and action keys stand."""

from dataclasses import dataclass, field

from controller.table.events import DeviceUp


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

    def has(self, log: bytes, number: int) -> bool:
        """Whether this event, or one that this log cannot tell from it, was taken before."""
        return log != self.log or number <= self.newest

    def meet(self, up: DeviceUp) -> bool:
        """Take over what the device says of itself; whether its memory is another one than before."""
        self.last_key = max(self.last_key, up.last_key)
        if up.relation == "known":
            return False
        met = bool(self.log)
        self.log, self.newest, self.cards = up.log, up.committed, up.cards
        self.open_actions.clear()
        return met

    def next_key(self) -> int:
        """A fresh key for an action, noted as open."""
        self.last_key += 1
        self.open_actions.append(self.last_key)
        return self.last_key
