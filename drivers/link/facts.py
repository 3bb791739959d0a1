"""What the host's end of a link is told, and what it tells: frozen records."""

from dataclasses import dataclass

from drivers.messages import CommandBody, EventBody
from drivers.protocol.codes import DeviceClass, Status

SIMULATOR_HARDWARE = "sim"
"""The `hardware` of what may speak unsealed."""

ON_TRIAL = "its new firmware is on trial: confirm the update, or wait 120 s until it reverts"


@dataclass(frozen=True, slots=True)
class Expected:
    """Whom the configuration names on this port."""

    device_class: DeviceClass
    serial: str


@dataclass(frozen=True, slots=True)
class Bookmark:
    """What the journal knows of a device; an empty `log`: never met."""

    log: bytes = b""
    newest: int = 0
    """The last event of this log on disk."""
    last_key: int = 0
    cards: int = 0
    """The shoe's count of cards at that event."""
    open_actions: tuple[int, ...] = ()
    """Keys of actions whose results are not known."""


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """What a device says of itself, once it has proved who it is."""

    device_class: DeviceClass
    serial: str
    hardware: str
    firmware: str
    boot: bytes
    reset: int
    log: bytes
    oldest: int
    newest: int
    committed: int
    last_key: int
    cards: int
    insecure: bool
    """Its sessions are not sealed: nobody can know who speaks."""
    test_slot: bool = False
    """Firmware on trial runs: it must be confirmed or reverts."""

    @property
    def distrust_reason(self) -> str:
        """Why it is refused though it has proved itself, in a clause; empty: it is not. Whom nobody can prove
        to be itself may be a simulator, nothing else."""
        clear = self.insecure and self.hardware != SIMULATOR_HARDWARE
        return f"hardware {self.hardware!r} must be sealed: provision a key" if clear else ""

    @property
    def unfit_reason(self) -> str:
        """Why it is not armed though its session is up, in a sentence; empty: it may be."""
        return ON_TRIAL if self.test_slot else ""


@dataclass(frozen=True, slots=True)
class Up:
    """A session is installed. `relation` of the device's log to the journal: "known", "new log" or
    "served elsewhere"; for the latter two a person re-bases the table."""

    facts: DeviceFacts
    relation: str


@dataclass(frozen=True, slots=True)
class EventArrived:
    """The next event of a log. A body that this version cannot read comes as the bytes of its message;
    if it is `critical` besides, the device stays unarmed until a person clears it.
    `history`: it belongs to another table's or an earlier life, never to play."""

    log: bytes
    number: int
    uptime_us: int
    boot: bytes
    name: str
    body: EventBody | bytes
    history: bool
    critical: bool


@dataclass(frozen=True, slots=True)
class EventsLost:
    """The device no longer has the events `first` to `last`; the next number is `last` + 1."""

    log: bytes
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ActionEnded:
    """The result of an action, or what a recall found out about it."""

    key: int
    status: Status
    text: str


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """A state command was not carried out, and is not tried again in this session."""

    record: CommandBody
    status: Status
    text: str


@dataclass(frozen=True, slots=True)
class Running:
    """Everything is journaled, the device shows and moves what is wanted."""


@dataclass(frozen=True, slots=True)
class Unarmed:
    """Everything is journaled, and the session stays unarmed: the actions of an update may go out."""


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
class CardsMissing:
    """All events are on disk, and the shoe has counted more cards than they tell of."""

    shoe_cards: int
    ours: int


@dataclass(frozen=True, slots=True)
class HeartbeatLate:
    """The device's heartbeat is overdue (`on`), or came after all; the session goes on for now."""

    on: bool


@dataclass(frozen=True, slots=True)
class Down:
    """The session, or the attempt at one, is over; the link says nothing more."""

    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class DeviceRefused:
    """One side declined the other; `reason` is a word of codes.RefuseReason in lower case."""

    reason: str
    text: str


LinkEvent = (
    Up
    | EventArrived
    | EventsLost
    | ActionEnded
    | CommandRefused
    | Running
    | Unarmed
    | BlockSent
    | HeartbeatSeen
    | CardsMissing
    | HeartbeatLate
    | Down
    | DeviceRefused
)
