"""What devices report to the table: frozen records, each naming its device as the configuration does."""

from dataclasses import dataclass

from drivers.link.facts import DeviceFacts
from drivers.messages import CommandBody, EventBody
from drivers.protocol.codes import Status


@dataclass(frozen=True, slots=True)
class DeviceUp:
    """A session is up. `relation` of the device's log to the journal: "known", "new log" or
    "served elsewhere"; for the latter two a person re-bases the table."""

    device: str
    facts: DeviceFacts
    relation: str


@dataclass(frozen=True, slots=True)
class DeviceEvent:
    """The next event of the device's log, to be journaled and then committed.

    A body that this version cannot read is bytes; `critical`: it may not be passed over, and the device
    stays unarmed until a person clears it. `history`: it belongs to another table or life, never to play.
    `uptime_us` is the device's clock. The journal's row adds ours: both are kept, and thus their offset.
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
    """The result of an action, in its own session or by recall."""

    device: str
    key: int
    status: Status
    text: str


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """The device did not carry out what it shall be; the wish stands for the next session."""

    device: str
    record: CommandBody
    status: Status
    text: str


@dataclass(frozen=True, slots=True)
class DeviceRunning:
    """The device is armed and was told all that is wanted."""

    device: str


@dataclass(frozen=True, slots=True)
class CardsMissing:
    """The shoe has counted more cards than its events, all journaled, tell of."""

    device: str
    shoe_cards: int
    ours: int


DeviceReport = (
    DeviceUp | DeviceEvent | EventsMissing | ActionEnded | CommandRefused | DeviceRunning | CardsMissing
)  # fmt: skip
