"""What can happen to a table: the inputs, which are replayed to rebuild its state.

None carries a time: the journal's row does. What follows from them is in notes.py.
"""

from dataclasses import dataclass, field
from typing import Literal

from controller.jackpot import Step
from controller.table.record.causes import Cause, cause
from controller.table.record.choices import ChoiceName
from controller.table.record.rules import Bank, Progressive
from drivers.link.reports import (
    ActionEnded,
    CardsMissing,
    CommandRefused,
    DeviceEvent,
    DeviceRunning,
    DeviceUp,
    EventsMissing,
)
from drivers.messages import CommandBody

__all__ = [
    "Acknowledged",
    "Action",
    "ActionEnded",
    "CardsMissing",
    "ClaimStep",
    "CommandRefused",
    "ConsoleKey",
    "DealerOn",
    "Decision",
    "DeviceEvent",
    "DeviceLost",
    "DeviceRunning",
    "DeviceUp",
    "DiskLevel",
    "DiskSpace",
    "EventsMissing",
    "Input",
    "LampTest",
    "MeterCorrection",
    "Noticed",
    "RequestAnswered",
    "RequestMade",
    "RequestSubject",
    "Started",
    "Supervisor",
    "TestMode",
]

RequestSubject = Literal["undo", "help", "void", "correct", "assign", "meter", "parameters"]
"""What a request is about."""

NOTICE = cause("notice")
DiskLevel = Literal["enough", "low", "stop"]


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
    approvals: bool = False
    """Two persons must grant what is new in how jackpots are fed; older versions asked nobody."""
    unplayed: bool = False
    """Chips on spots that are not in play are kept in mind; older versions forgot them."""


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
    0 is the one in play. `void`: the round is void. `undo`: the dealer's last key was never pressed.
    `resume`: play on. `reload`: the shoe's cards serve no further round. `entry`: a `device` is opened, by
    `who`, whose licence has the number `licence`.

    Hands, and cards of a hand, count from 1; seat 0 is the dealer. `token` is that of its preview. `round` of
    other choices than `correct`: it is refused in any other round; 0: it names none.
    """

    choice: ChoiceName
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
    licence: str = ""
    """Of older versions it stands in `who` or `why`."""
    token: str = ""
    signed_in: bool = False
    """The names are of persons who had signed in; else they were typed by whoever may act as the daemon's
    own user."""


@dataclass(frozen=True, slots=True)
class DiskSpace:
    """The disk that the journal is on has `free` bytes left. `low`: somebody should make room; `stop`: no
    further round begins until there is."""

    level: DiskLevel
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
    """The daemon found something that a person at the table must see; a sentence. Without a text it says that
    what it found before about the same cause has ended."""

    text: str
    about: Cause = NOTICE
    """Older versions wrote none: the alert goes with its round."""


@dataclass(frozen=True, slots=True)
class ClaimStep:
    """A person takes a claim of a jackpot one step on."""

    claim: int
    step: Step
    who: str
    why: str
    signed_in: bool = False
    """As a Supervisor's."""
    token: str = ""
    """Of its preview; older versions had none."""


@dataclass(frozen=True, slots=True)
class MeterCorrection:
    """Two persons say that the jackpot of a spot shows so many cents."""

    spot: str
    cents: int
    who: str
    second: str
    why: str
    signed_in: bool = False
    """As a Supervisor's."""
    token: str = ""
    """Of its preview; older versions had none."""


@dataclass(frozen=True, slots=True)
class ConsoleKey:
    """`who` presses a key of the console on the screen; `cents` 0: no amount.

    `round`: the one that the screen showed, 0 where it did not say. `press`: what the screen calls this
    press, so that it is taken once however often it is told; empty: nothing.
    """

    action: str
    seat: int
    cents: int
    who: str
    round: int = 0
    press: str = ""


@dataclass(frozen=True, slots=True)
class RequestMade:
    """`who`, a dealer or a supervisor by `role`, asks for what others must grant: `word` or `meter`, of which
    they are the first person; neither where they call for help."""

    about: RequestSubject
    who: str
    role: str
    why: str
    word: Supervisor | None = None
    meter: MeterCorrection | None = None


@dataclass(frozen=True, slots=True)
class RequestAnswered:
    """`who` grants a request or declines it; who asked withdraws it so. `token`: that of its preview; older
    versions wrote it only sometimes."""

    request: int
    grant: bool
    who: str
    role: str
    why: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class DealerOn:
    """`who` deals from now on; empty: nobody has said who."""

    who: str


@dataclass(frozen=True, slots=True)
class TestMode:
    """`who` begins to test the table's devices, or ends it: play stands still between the two."""

    on: bool
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class LampTest:
    """In test mode all lamps show a pattern, one of testing.record.PATTERNS; `seen`: what `who` saw of the
    one before, as "good" or "seat 3 spot 2 dark"."""

    pattern: str
    who: str
    seen: str = ""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """`who` has seen an alert."""

    alarm: int
    who: str


Decision = (
    Supervisor
    | ClaimStep
    | MeterCorrection
    | ConsoleKey
    | DealerOn
    | Acknowledged
    | TestMode
    | LampTest
    | RequestMade
    | RequestAnswered
)
"""What a person says, through a page or the supervisor's socket."""

Input = (
    Started
    | DeviceUp
    | DeviceRunning
    | DeviceLost
    | DeviceEvent
    | EventsMissing
    | CardsMissing
    | Action
    | ActionEnded
    | CommandRefused
    | Supervisor
    | DiskSpace
    | Noticed
    | ClaimStep
    | MeterCorrection
    | ConsoleKey
    | DealerOn
    | Acknowledged
    | TestMode
    | LampTest
    | RequestMade
    | RequestAnswered
)
