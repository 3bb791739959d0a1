"""What can happen to a table: the inputs, which are replayed to rebuild its state.

None carries a time: the journal's row does. What follows from them is in notes.py.
"""

from dataclasses import dataclass, field
from typing import Literal

from controller.jackpot import Step
from controller.table.rules import Bank, Progressive
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
    "Action", "ActionEnded", "CardsMissing", "Choice", "ClaimStep", "CommandRefused", "Decision",
    "DeviceEvent", "DeviceLost", "DeviceRunning", "DeviceUp", "DiskSpace", "EventsMissing", "Input", "Level",
    "MeterCorrection", "Noticed", "Started", "Supervisor",
]  # fmt: skip

Choice = Literal["burn", "card", "assign", "reread", "correct", "void", "resume", "reload", "entry"]

Level = Literal["enough", "low", "stop"]


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
    table: str = ""
    """The table's name; older versions wrote none."""
    claims: bool = False
    """Won shares of jackpots are claimed; older versions paid them at settlement."""


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
    """A person decides about a suspended round, or about a card that was misread.

    `burn`: the card in question is a burn. `card`: it goes where the next card is due; `card` names it
    where the shoe could not, or misread it. `assign`: it goes to `hand` of `seat`. `reread`: it goes through
    the shoe once more. `correct`: card `number` of `hand` of `seat` was read as `old` and is `card`; `round`
    0 is the one in play. `void`: the round is void. `resume`: play on. `reload`: the shoe's cards serve no
    further round. `entry`: a `device` is opened, by `who` with the number of their licence.

    Hands, and cards of a hand, count from 1; seat 0 is the dealer. `token` is what the preview of it told.
    """

    choice: Choice
    who: str
    why: str
    card: str | None = field(repr=False)
    second: str = ""
    """Another person, where one is not enough: a meter went up in the round."""
    seat: int = 0
    hand: int = 1
    number: int = 0
    old: str = ""
    round: int = 0
    device: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class DiskSpace:
    """The disk that the journal is on has `free` bytes left. `low`: somebody should make room; `stop`: no
    further round begins until there is."""

    level: Level
    free: int
    disk: str
    """Which of them: "journal" or "mirror"."""
    files: int | None = None
    """Room for so many more files; None: for plenty."""

    @property
    def room(self) -> str:
        """The level, for logs, whose lines have a level of their own."""
        return self.level


@dataclass(frozen=True, slots=True)
class Noticed:
    """The daemon found something that a person at the table must see; a sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class ClaimStep:
    """A person takes a claim of a jackpot one step on."""

    claim: int
    step: Step
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class MeterCorrection:
    """Two persons say that the jackpot of a spot shows so many cents."""

    spot: str
    cents: int
    who: str
    second: str
    why: str


Decision = Supervisor | ClaimStep | MeterCorrection
"""What a person says through the supervisor's socket."""

Input = (
    Started | DeviceUp | DeviceRunning | DeviceLost | DeviceEvent | EventsMissing | CardsMissing
    | Action | ActionEnded | CommandRefused | Supervisor | DiskSpace | Noticed | ClaimStep | MeterCorrection
)  # fmt: skip
