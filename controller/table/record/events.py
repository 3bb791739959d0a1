"""The inputs of a table. A replay of the journaled inputs rebuilds the table's state.

An input has no time of its own: its journal row holds the time. The consequences of inputs are the notes in
notes.py.
"""

from dataclasses import dataclass, field
from typing import Literal, Self

from controller.jackpot import Step
from controller.jackpot.linked.table_level import TableLevelState
from controller.property.commands import Command, CommandName, ReplyCode
from controller.property.signed import SignedMessage
from controller.round.state import PayFrom
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
    "ActTaken",
    "Action",
    "ActionEnded",
    "CardsMissing",
    "ClaimStep",
    "CommandRefused",
    "CommandTaken",
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
    "FloorCommand",
    "Input",
    "LampReported",
    "LampTest",
    "LevelChanged",
    "MeterCorrection",
    "Noticed",
    "RequestAnswered",
    "RequestMade",
    "RequestSubject",
    "ShareWon",
    "Started",
    "Supervisor",
    "TestMode",
]

RequestSubject = Literal["undo", "help", "void", "correct", "assign", "meter", "parameters", "relink"]
"""The subject of a request."""

NOTICE = cause("notice")
DiskLevel = Literal["enough", "low", "stop"]


@dataclass(frozen=True, slots=True)
class Started:
    """A daemon starts. `devices` maps the name of each configured device to its serial number; none of them
    is connected yet."""

    version: str
    game: str
    seats: int
    options: dict[str, object]
    devices: dict[str, str]
    bank: Bank = "third party"
    jackpots: dict[str, Progressive] = field(default_factory=dict)
    table: str = ""
    """The table's name; empty in journals of older versions."""
    claims: bool = False
    """Whether a won share of a jackpot is paid through a claim. Older versions paid it at settlement."""
    approvals: bool = False
    """Whether two persons must approve changed jackpot parameters. Older versions required no approval."""
    unplayed: bool = False
    """Whether the state includes chips on spots that are not in play. Older versions ignored these chips."""
    epoch: str = ""
    """The epoch of the journal (controller/table/state/table_state.py). Empty in the first start, which the
    epoch is made from, and in journals of older versions."""
    linked: dict[str, str] = field(default_factory=dict)
    """The level of a linked progressive that a spot plays for, by spot."""
    pay_from: PayFrom = "first-base"
    """Where the dealer begins to pay. Older versions always began with seat 1."""
    currency: str = ""
    """The code of the currency in ISO 4217. Empty in journals of older versions, which have hundredths of a
    unit without a name, and at tables whose configuration names none."""
    plugins: dict[str, str] = field(default_factory=dict)
    """The distribution and version of each plug-in that the table uses, by the name of the game or side bet.
    Empty at tables without plug-ins, and in journals of older versions."""


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """The connection to a device is lost; `why` is a sentence.

    If `held` is true, the device has disconnected too often: the daemon does not reconnect for a while, or
    until a person resumes play.
    """

    device: str
    why: str
    held: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """A command that a device executes only once. `key` is new for each action; it is on disk before the
    command is sent."""

    device: str
    key: int
    record: CommandBody


@dataclass(frozen=True, slots=True)
class Supervisor:
    """A person decides about a suspended round, or about a card that was misread.

    The choices:

    - `burn`: the waiting card is a burn card.
    - `card`: the waiting card goes where the next card is due. The field `card` names it if the shoe could
      not read it or misread it.
    - `assign`: the waiting card goes to `hand` of `seat`.
    - `reread`: the waiting card goes through the shoe once more.
    - `correct`: card `number` of `hand` of `seat` was read as `old`, but is `card`.
    - `void`: the round is void.
    - `undo`: the dealer's last key is taken back.
    - `resume`: play continues.
    - `reload`: the cards in the shoe are used for no further round.
    - `relink`: linked jackpots that contradicted themselves may be played again.
    - `entry`: `who`, with the licence number `licence`, opens the `device`.

    Hands, and the cards of a hand, count from 1; seat 0 is the dealer. For `correct`, `round` is the round
    to correct, and 0 means the round in play. For any other choice, the decision is refused if `round` is
    not the round in play; 0 skips this check. `token` is the token of the decision's preview.
    """

    choice: ChoiceName
    who: str
    why: str
    card: str | None = field(repr=False)
    second: str = ""
    """The second person, who is needed if a jackpot's meter went up in the round; else empty."""
    seat: int = 0
    hand: int = 1
    number: int = 0
    old: str = ""
    round: int = 0
    device: str = ""
    licence: str = ""
    """The licence number, for `entry`. Older versions wrote it into `who` or `why`."""
    token: str = ""
    signed_in: bool = False
    """True if the persons had signed in. False if a user of the daemon's own account typed their names."""


@dataclass(frozen=True, slots=True)
class DiskSpace:
    """A disk of the journal has `free` bytes left. At the level `low` an alert asks for more room; at `stop`
    no further round begins."""

    level: DiskLevel
    free: int
    disk: str
    """"journal" or "mirror"."""
    files: int | None = None
    """The number of files that can still be created; None if that number is not scarce."""

    @property
    def room(self) -> str:
        """The level under another name, because log lines already have a field `level`."""
        return self.level


@dataclass(frozen=True, slots=True)
class Noticed:
    """The daemon raises an alert, a sentence in `text`. An empty text ends the earlier alert with the same
    cause."""

    text: str
    about: Cause = NOTICE
    """The cause of the alert. Older versions wrote no cause; such an alert ends with its round."""


@dataclass(frozen=True, slots=True)
class ClaimStep:
    """A person takes a claim of a jackpot one step further."""

    claim: int
    step: Step
    who: str
    why: str
    signed_in: bool = False
    """As `Supervisor.signed_in`."""
    token: str = ""
    """The token of the preview; empty in journals of older versions."""


@dataclass(frozen=True, slots=True)
class MeterCorrection:
    """Two persons set the jackpot of a spot to an amount in cents."""

    spot: str
    cents: int
    who: str
    second: str
    why: str
    signed_in: bool = False
    """As `Supervisor.signed_in`."""
    token: str = ""
    """The token of the preview; empty in journals of older versions."""


@dataclass(frozen=True, slots=True)
class ConsoleKey:
    """`who` presses a key of the console on the screen. If the key has no amount, `cents` is 0.

    `round` is the round that the screen showed, 0 if the screen did not report it. `press` is the screen's
    identifier of this press: if the same press arrives again, it is not applied a second time. It is empty
    if the screen sent none.
    """

    action: str
    seat: int
    cents: int
    who: str
    round: int = 0
    press: str = ""


@dataclass(frozen=True, slots=True)
class RequestMade:
    """`who` asks for something that others must grant; `role` is "dealer" or "supervisor".

    The request holds a decision in `word` or a correction in `meter`, whose first person is `who`. A call for
    help holds neither.
    """

    about: RequestSubject
    who: str
    role: str
    why: str
    word: Supervisor | None = None
    meter: MeterCorrection | None = None


@dataclass(frozen=True, slots=True)
class RequestAnswered:
    """`who` grants or declines a request. If the person who asked declines it, the request is withdrawn.

    `token` is the token of the preview; older versions did not always write it.
    """

    request: int
    grant: bool
    who: str
    role: str
    why: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class DealerOn:
    """`who` deals from now on; empty if the dealer is not known."""

    who: str


@dataclass(frozen=True, slots=True)
class TestMode:
    """`who` switches test mode on or off. Play is suspended while it is on."""

    on: bool
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class LampTest:
    """In test mode all lamps show `pattern`, one of test_session.PATTERNS. `seen` is what `who` observed of
    the previous pattern, such as "good" or "seat 3 spot 2 dark"."""

    pattern: str
    who: str
    seen: str = ""


@dataclass(frozen=True, slots=True)
class LampReported:
    """In test mode `who` reports about the lamp of a spot of the game: whether it shows what it should."""

    seat: int
    spot: str
    works: bool
    who: str


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """`who` acknowledges the alert with the number `alarm`."""

    alarm: int
    who: str


@dataclass(frozen=True, slots=True)
class ActTaken:
    """The table has answered the act `id` of `who`; this is in the same transaction as the decision itself.
    The same act is answered alike when it is asked for again, also after a restart.

    `row` is the row of the decision, `request` the number of the request that it made; `refused` is why it
    was refused.
    """

    who: str
    id: str
    row: int = 0
    request: int = 0
    refused: str = ""


@dataclass(frozen=True, slots=True)
class FloorCommand:
    """The floor commands the table. `who` signed in at the floor; `second` is the person at the table, empty
    where one person is enough. `request` or `alert` is what it is about, 0 if it is about neither.

    `payload` and `signature` are as they were sent under `subject`: with `key`, one of the keys of the floor
    that the table knew, anybody can check that the floor gave this command.
    """

    id: str
    command: CommandName
    who: str
    role: str
    why: str
    nonce: str
    subject: str
    key: bytes
    signature: bytes
    payload: bytes
    second: str = ""
    request: int = 0
    alert: int = 0

    @classmethod
    def of(cls, command: Command, message: SignedMessage) -> Self:
        """The command that was read from this message."""
        return cls(
            id=command.id,
            command=command.command,
            who=command.who,
            role=command.role,
            why=command.text,
            nonce=command.about.nonce,
            subject=message.subject,
            key=message.key,
            signature=message.signature,
            payload=message.payload,
            second=command.second,
            request=command.about.request or 0,
            alert=command.about.alert or 0,
        )


@dataclass(frozen=True, slots=True)
class CommandTaken:
    """The table has answered the floor's command `id`; this is in the same transaction as the command itself.
    The same id is answered alike when it comes again, also after a restart.

    `row` is the row of the command, 0 if it was refused; `reason` is why it was refused.
    """

    id: str
    code: ReplyCode
    row: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LevelChanged:
    """What a linked level shows at this table, and whether it may be played. `cents`, `n`, `version` and
    `hash` are those of the last amount; `why`: a sentence about a level that is closed; `conflict`: two
    persons must look before it may be played again.

    Recorded when the state changes, and before betting closes, because players then play for this amount.
    """

    level: str
    state: TableLevelState
    cents: int
    n: int
    version: int
    hash: str
    why: str = ""
    conflict: str = ""

    @property
    def jackpot(self) -> str:
        """The level under another name, because log lines already have a field `level`."""
        return self.level


@dataclass(frozen=True, slots=True)
class ShareWon:
    """The linked progressive has decided what a claim of this table wins: `cents`, by entry `n` of its log.
    `order`: the place of the claim among those of all tables; `shown`: the level's amount since then.

    `payload` and `signature` are as they were sent under `subject`: with `key`, one of the keys of the
    progressive that the table knew, anybody can check it.
    """

    claim: int
    cents: int
    order: tuple[int, ...]
    n: int
    shown: int
    subject: str
    key: bytes
    signature: bytes
    payload: bytes


Decision = (
    Supervisor
    | ClaimStep
    | MeterCorrection
    | ConsoleKey
    | DealerOn
    | Acknowledged
    | TestMode
    | LampTest
    | LampReported
    | RequestMade
    | RequestAnswered
)
"""An input from a person, through a page or the supervisor\'s socket."""

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
    | LampReported
    | RequestMade
    | RequestAnswered
    | ActTaken
    | FloorCommand
    | CommandTaken
    | LevelChanged
    | ShareWon
)
