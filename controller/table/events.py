"""What can happen to a table, and what it notes down: the vocabulary of the journal.

Inputs are replayed to rebuild the state. Notes say what followed; they are kept and never replayed. Both
carry no time: the journal's row does.
"""

from dataclasses import dataclass, field
from typing import Literal

from controller.round import Peeked, Revealed, Settled
from controller.table.rules import Bank, Progressive
from controller.table.view import RoundView
from controller.table.written import RoundScript
from drivers.messages import CommandBody
from drivers.reports import (
    ActionEnded,
    CardsMissing,
    CommandRefused,
    DeviceEvent,
    DeviceRunning,
    DeviceUp,
    EventsMissing,
)

__all__ = [
    "Action", "ActionEnded", "Alert", "CardsMissing", "Choice", "Cleared", "CommandRefused", "DeviceEvent",
    "DeviceLost", "DeviceRunning", "DeviceUp", "EventsMissing", "FirmwareUpdated", "Input", "MeterMoved",
    "Moved", "Note",
    "Peeked", "Permitted", "Refusal", "Resumed", "Revealed", "RoundEnded", "Settled", "Started",
    "Supervisor", "Suspended",
]  # fmt: skip

Choice = Literal["burn", "card", "void", "resume", "reload"]
Moved = Literal["contribution", "win", "seed", "correction"]


@dataclass(frozen=True, slots=True)
class Started:
    """A daemon begins with these rules and devices (name to serial number); no device is connected."""

    version: str
    game: str
    seats: int
    options: dict[str, object]
    devices: dict[str, str]
    bank: Bank = "third party"
    jackpots: dict[str, Progressive] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """A device went; `why` is a sentence. `held`: it flaps and is left alone for a while, or until a person
    resumes."""

    device: str
    why: str
    held: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """A device is asked to do something once; the key is fresh, and kept before the device hears of it."""

    device: str
    key: int
    record: CommandBody


@dataclass(frozen=True, slots=True)
class Supervisor:
    """A person decides about a suspended round.

    `burn`: the card in question is a burn. `card`: it goes where the next card is due; `card` names it
    where the shoe could not, or misread it. `void`: the round is void. `resume`: play on. `reload`: the
    shoe's cards serve no further round.
    """

    choice: Choice
    who: str
    why: str
    card: str | None


Input = (
    Started | DeviceUp | DeviceRunning | DeviceLost | DeviceEvent | EventsMissing | CardsMissing
    | Action | ActionEnded | CommandRefused | Supervisor
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Alert:
    """Something a person at the table must see."""

    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A key that is not legal now, and why."""

    action: str
    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class Suspended:
    """Play stops; `why` is a sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """Play goes on."""


@dataclass(frozen=True, slots=True)
class Permitted:
    """Cards may leave the shoe until its count is `up_to`."""

    up_to: int


@dataclass(frozen=True, slots=True)
class MeterMoved:
    """The jackpot of a spot shows another amount, in cents. `kind` "correction": a void round's step back."""

    spot: str
    kind: Moved
    before: int
    after: int
    why: str


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round as anyone may look it up for ever, and as a script; older versions wrote none."""

    round: RoundView
    script: RoundScript | None = None


@dataclass(frozen=True, slots=True)
class Cleared:
    """A person has looked at a device's event that nobody here can read, or at a device that flaps: the
    device may serve again."""

    device: str


@dataclass(frozen=True, slots=True)
class FirmwareUpdated:
    """Two persons had a device's firmware updated, with the daemon stopped: once when it begins, once when it
    ends. `before` is the device's own word of what it ran, empty where it did not say."""

    device: str
    who: str
    second: str
    before: str
    version: int
    sha256: str
    result: str
    """"begun", "confirmed", "runs already", "reverted", "reverts", "failed" or "interrupted"."""
    text: str


Note = (
    Cleared
    | FirmwareUpdated
    | Alert
    | Refusal
    | Suspended
    | Resumed
    | Permitted
    | Action
    | Settled
    | Revealed
    | Peeked
    | MeterMoved
    | RoundEnded
)
