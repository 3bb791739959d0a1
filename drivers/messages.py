"""What devices report and what the host asks of them: frozen records without the wire.

They have the names and fields of section 14 of firmware-protocol/README.md. Cards are strings of two
characters ("Ts"), money is cents, 0 for unknown. `EVENTS` and `COMMANDS` map a message's field name in
`Event` or `Command` to its record.
"""

import re
from dataclasses import dataclass, field
from typing import Any, get_args


@dataclass(frozen=True, slots=True)
class UpdateBegin:
    """Take this firmware into the spare slot (action). `sha256` has 32 bytes, `signature` 64."""

    version: int
    size: int
    sha256: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class UpdateApply:
    """Start the spare slot, on trial (action)."""


@dataclass(frozen=True, slots=True)
class UpdateConfirm:
    """Make the slot on trial the good one (action)."""


@dataclass(frozen=True, slots=True)
class MakerKey:
    """Trust this maker's key from now on (action). `key` has 32 bytes, `signature`, of the root key, 64."""

    generation: int
    key: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Booted:
    """The device started; `reset` as codes.Reset."""

    reset: int


@dataclass(frozen=True, slots=True)
class Tamper:
    """Somebody tampers with the device. `what`: 1 bad tags, 2 bad proofs, 3 the case."""

    what: int
    count: int


@dataclass(frozen=True, slots=True)
class Fault:
    """A component fault came or went."""

    code: int
    on: bool
    text: str


@dataclass(frozen=True, slots=True)
class Door:
    """A sensored door opened or closed."""

    which: int
    open: bool


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A permitted card left the shoe as number `count` of its log."""

    count: int
    card: str = field(repr=False)  # it may lie face down: no report of an error names it


@dataclass(frozen=True, slots=True)
class CardUnreadable:
    """A card left that the shoe could not read."""

    count: int


@dataclass(frozen=True, slots=True)
class CardUnpermitted:
    """A card left although the shoe was locked."""

    count: int
    card: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class CardInterrupted:
    """The power failed while a card moved. Which card it was, and whether it left, is unknown."""

    count: int


@dataclass(frozen=True, slots=True)
class CutCard:
    """The cut card left after card number `count`."""

    count: int


@dataclass(frozen=True, slots=True)
class Cover:
    """The shoe's cover opened or closed."""

    open: bool


@dataclass(frozen=True, slots=True)
class Loaded:
    """New cards lie in the shoe."""

    decks: int


@dataclass(frozen=True, slots=True)
class Empty:
    """The shoe has no card left."""


@dataclass(frozen=True, slots=True)
class ShoeJam:
    """A card is stuck, or is free again."""

    on: bool


@dataclass(frozen=True, slots=True)
class ShufflerState:
    """`state` as codes.ShufflerPhase, `percent` of it done."""

    state: int
    percent: int


@dataclass(frozen=True, slots=True)
class DeckCheck:
    """The shuffler's count of each card: 52 bytes, spades, hearts, diamonds, clubs, each A23456789TJQK."""

    decks: int
    counts: bytes
    unreadable: int


@dataclass(frozen=True, slots=True)
class ShufflerJam:
    """A card is stuck, or is free again."""

    on: bool


@dataclass(frozen=True, slots=True)
class Wager:
    """Chips lie on a spot, or left it. `cents` 0: the sensor cannot tell. Spot 0 is the main one."""

    seat: int
    spot: int
    present: bool
    cents: int


@dataclass(frozen=True, slots=True)
class SensorFault:
    """A sensor cannot be trusted, or works again."""

    seat: int
    spot: int
    on: bool


@dataclass(frozen=True, slots=True)
class Key:
    """The dealer pressed a key; `action` is a word of codes.KEYS."""

    action: str
    seat: int
    cents: int


@dataclass(frozen=True, slots=True)
class Resume:
    """Send events from number `next` on."""

    next: int


@dataclass(frozen=True, slots=True)
class Arm:
    """The host has all events up to `seen` on disk: the device may show and move."""

    seen: int


@dataclass(frozen=True, slots=True)
class Disarm:
    """Go back to the safe state."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Say what became of the action with key `old_key`."""

    old_key: int


@dataclass(frozen=True, slots=True)
class Permit:
    """Cards may leave until the shoe's count is `up_to`."""

    up_to: int


@dataclass(frozen=True, slots=True)
class Lock:
    """No card may leave."""


@dataclass(frozen=True, slots=True)
class Start:
    """Shuffle and check `decks` decks (action)."""

    decks: int


@dataclass(frozen=True, slots=True)
class Eject:
    """Give the shuffled cards out (action)."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop the cycle."""


@dataclass(frozen=True, slots=True)
class Lamps:
    """54 lamps (codes.Lamp) at 6 x (seat - 1) + spot, for `ttl_ms` from arrival, at most 10,000."""

    ttl_ms: int
    lamps: bytes


@dataclass(frozen=True, slots=True)
class Level:
    """A jackpot's amount; `state` as codes.LevelState."""

    id: int
    cents: int
    state: int


@dataclass(frozen=True, slots=True)
class Celebrate:
    id: int
    cents: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Text:
    """One line of the display, at most 64 bytes."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is due now, at most 120 bytes. Seat 0 is the dealer's own."""

    text: str
    seat: int


@dataclass(frozen=True, slots=True)
class KeyLamps:
    """Which keys are legal: bit n for codes.KEYS[n]."""

    mask: int


@dataclass(frozen=True, slots=True)
class Buzz:
    ms: int


EventBody = (
    Booted
    | Tamper
    | Fault
    | Door
    | CardDrawn
    | CardUnreadable
    | CardUnpermitted
    | CardInterrupted
    | CutCard
    | Cover
    | Loaded
    | Empty
    | ShoeJam
    | ShufflerState
    | DeckCheck
    | ShufflerJam
    | Wager
    | SensorFault
    | Key
)
CommandBody = (
    Resume
    | Arm
    | Disarm
    | Recall
    | UpdateBegin
    | UpdateApply
    | UpdateConfirm
    | MakerKey
    | Permit
    | Lock
    | Start
    | Eject
    | Stop
    | Lamps
    | Level
    | Celebrate
    | Text
    | Prompt
    | KeyLamps
    | Buzz
)

UPDATES = (UpdateBegin, UpdateApply, UpdateConfirm, MakerKey)
"""Actions of a firmware update. Every class of device has them, and only unarmed."""
ACTIONS = (Start, Eject, *UPDATES)
"""Commands that are done once. All others set a state."""


def _by_field(bodies: object) -> dict[str, Any]:
    """Maps field names of `Event` or `Command` to records: the record's name in lower case with
    underscores."""
    return {
        re.sub(r"(?<=[a-z])(?=[A-Z])", "_", record.__name__).lower(): record for record in get_args(bodies)
    }


EVENTS: dict[str, type[EventBody]] = _by_field(EventBody)
COMMANDS: dict[str, type[CommandBody]] = _by_field(CommandBody)
