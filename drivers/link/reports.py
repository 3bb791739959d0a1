"""What devices report to the table: frozen records. Each names its device as the configuration does.

The host's end of a link creates them, and so do the adapters of commercial shoes. Devices pass them on as
they are, and the table journals them.
"""

from dataclasses import dataclass

from drivers.link.facts import DeviceFacts
from drivers.messages import CommandBody, EventBody
from drivers.protocol.codes import Status


@dataclass(frozen=True, slots=True)
class DeviceUp:
    """A session is up. `relation` compares the device's log with the journal: "known", "new log" or "served
    elsewhere". In the latter two cases a person re-bases the table."""

    device: str
    facts: DeviceFacts
    relation: str


@dataclass(frozen=True, slots=True)
class DeviceEvent:
    """The next event of the device's log, to be journaled and then committed.

    If this version cannot read the body, `body` has the bytes of the message. If such an event is also
    `critical`, the device stays unarmed until a person clears it. `history`: the event belongs to another
    table or to an earlier life of the device, and is never play. `uptime_us` is the device's clock; the
    journal's row adds ours.
    """

    device: str
    log: bytes
    number: int
    uptime_us: int
    boot: bytes
    body: EventBody | bytes
    history: bool
    critical: bool = False


@dataclass(frozen=True, slots=True)
class EventsMissing:
    """The device no longer has the events `first` to `last`; to be journaled, then `last` committed."""

    device: str
    log: bytes
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ActionEnded:
    """The result of an action, from its own session or from a recall."""

    device: str
    key: int
    status: Status
    text: str


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """The device did not carry out a state command. It is sent again in the next session, not in this one."""

    device: str
    record: CommandBody
    status: Status
    text: str


@dataclass(frozen=True, slots=True)
class DeviceRunning:
    """All events are journaled, the device is armed and has been sent the whole desired state."""

    device: str


@dataclass(frozen=True, slots=True)
class CardsMissing:
    """All events are journaled, and the shoe has counted more cards than they report."""

    device: str
    shoe_cards: int
    ours: int


DeviceReport = (
    DeviceUp | DeviceEvent | EventsMissing | ActionEnded | CommandRefused | DeviceRunning | CardsMissing
)


@dataclass(frozen=True, slots=True)
class Unarmed:
    """Everything is journaled, and the session stays unarmed. The actions of an update may go out."""


@dataclass(frozen=True, slots=True)
class BlockSent:
    """The device asked for the image from `offset` on, and `size` bytes of it are on their way."""

    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class HeartbeatSeen:
    """A heartbeat in a session that stays unarmed; `mode` as codes.Mode."""

    mode: int
    errors: int


@dataclass(frozen=True, slots=True)
class HeartbeatLate:
    """The device's heartbeat is overdue (`on`), or it came after all. The session goes on for now."""

    on: bool


@dataclass(frozen=True, slots=True)
class Down:
    """The session, or the attempt at one, is over. The link emits nothing more."""

    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class DeviceRefused:
    """One side refused the other. `reason` is a word of codes.RefuseReason in lower case. Unless the device
    has `proved` its key, anyone on the line can be the cause."""

    reason: str
    text: str
    proved: bool = False


LinkEvent = DeviceReport | Unarmed | BlockSent | HeartbeatSeen | HeartbeatLate | Down | DeviceRefused
"""What the host's end of a link emits. All but the reports stays on the drivers' side."""
