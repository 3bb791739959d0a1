"""What the floor knows of one table: its last status, what is stored of its journal, and for how long."""

from dataclasses import dataclass
from typing import Final

from controller.property.status import TableStatus, UplinkStatus

STALE: Final = 7.0
"""Seconds after which a status is old. A table sends one at least every 5 s."""
ALARM_KEPT: Final = 15.0
"""Seconds for which an uplink's alarm counts. It repeats the alarm while the cause lasts."""


@dataclass(frozen=True, slots=True)
class StoredHead:
    """The last row that the floor has stored of a journal, and when it was stored."""

    row: int
    hash: bytes
    at: float


@dataclass(slots=True)
class TableRecord:
    """Times are the floor's, in seconds of Unix time. `known`: since when the floor waits for the table."""

    table: str
    known: float
    epoch: str = ""
    """The epoch of the journal that was admitted last; empty if none was."""
    status: TableStatus | None = None
    received: float | None = None
    """When `status` came."""
    uplink: UplinkStatus | None = None
    uplink_received: float = 0.0
    head: StoredHead | None = None
    """Of the journal with the epoch `epoch`."""
    behind_since: float | None = None
    """Since when the table states a row that is not stored, and no row was stored."""
    suspended_since: float | None = None

    @property
    def last_word(self) -> float | None:
        """When the table or its uplink said something last."""
        if self.uplink is None:
            return self.received
        return max(self.received or 0.0, self.uplink_received)

    @property
    def core_is_down(self) -> bool:
        """As far as the last word says."""
        down = self.uplink is not None and self.uplink.core == "down"
        return down and (self.received is None or self.received < self.uplink_received)

    def is_silent(self, now: float) -> bool:
        """Whether the table has said nothing for longer than STALE. A table without an admitted journal is
        not silent before its first message."""
        last = self.last_word
        if last is None and not self.epoch:
            return False
        return now - (self.known if last is None else last) > STALE

    def alarm(self, now: float) -> str:
        """Why the uplink sends no rows; empty if it does."""
        if self.uplink is None or now - self.uplink_received > ALARM_KEPT:
            return ""
        return self.uplink.alarm

    def take_status(self, status: TableStatus, received: float) -> None:
        self.status, self.received = status, received
        suspended = status.suspended and not status.test
        self.suspended_since = (self.suspended_since or received) if suspended else None
        self._compare_rows(received)

    def take_uplink(self, uplink: UplinkStatus, received: float) -> None:
        self.uplink, self.uplink_received = uplink, received

    def take_head(self, head: StoredHead) -> None:
        self.head, self.behind_since = head, None
        self._compare_rows(head.at)

    def admit(self, epoch: str, now: float) -> None:
        if epoch == self.epoch:
            return
        if not self.epoch:
            self.known = now
        self.epoch, self.head, self.behind_since = epoch, None, None

    def _compare_rows(self, now: float) -> None:
        stored = self.head.row if self.head else 0
        behind = self.status is not None and self.status.epoch == self.epoch and self.status.row > stored
        self.behind_since = (self.behind_since or now) if behind else None
