"""The notes: what followed from an input, including refusals. The journal keeps them for ever; a replay skips
them.

A note has no time of its own: its journal row holds the time.
"""

from dataclasses import dataclass, field
from typing import Literal

from controller.access.people import OVERRIDE
from controller.jackpot import Books, Claim
from controller.round import Peeked, Revealed, Settled
from controller.table.errors import NotAllowed
from controller.table.record.events import (
    Action,
    ConsoleKey,
    FloorCommand,
    Input,
    RequestAnswered,
    RequestMade,
)
from controller.table.record.round_script import RoundScript
from controller.table.record.views import LineView, RoundView

__all__ = [
    "Accessed",
    "Alert",
    "CardOpened",
    "ClaimMoved",
    "Cleared",
    "ClockStepped",
    "DeckChecked",
    "FirmwareUpdated",
    "KeyUndone",
    "LevelRead",
    "MakerKeyReplaced",
    "MeterMoveKind",
    "MeterMoved",
    "Note",
    "Overridden",
    "Peeked",
    "Permitted",
    "Refusal",
    "RequestMoved",
    "Resumed",
    "Retired",
    "Revealed",
    "RoundCorrected",
    "RoundEnded",
    "SelfTested",
    "Settled",
    "ShoeEnded",
    "Suspended",
    "alert_text",
]

MeterMoveKind = Literal["contribution", "lock", "win", "seed", "correction"]


@dataclass(frozen=True, slots=True)
class Alert:
    """Something a person at the table must see."""

    text: str


@dataclass(frozen=True, slots=True)
class CardOpened:
    """A card that was sealed while it lay face down, or waited, is no secret any more. With `key` anybody can
    open the box in row `row` and compare (controller/journal/sealing.py). `hole`: it was the dealer's
    face-down card."""

    row: int
    card: str = field(repr=False)
    key: bytes = field(repr=False)
    hole: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """A key or a decision that the table refused, and why."""

    action: str
    seat: int
    reason: str
    who: str = ""
    """The person's name; empty if it is not known."""


@dataclass(frozen=True, slots=True)
class Overridden:
    """Root took the decision in the row `row` without signing in; `why` is the reason."""

    row: int
    why: str
    who: str = OVERRIDE


@dataclass(frozen=True, slots=True)
class Suspended:
    """Play is suspended; `why` is a sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """Play continues."""


@dataclass(frozen=True, slots=True)
class Permitted:
    """The shoe may release cards until its count reaches `up_to`."""

    up_to: int


@dataclass(frozen=True, slots=True)
class MeterMoved:
    """The amount of a spot's jackpot changes, in cents.

    The kind "lock" means that a share was won and is locked until it is paid. The kind "correction" means
    that the meter was corrected, by a typed amount or by a decision about the round, in the names of `who`
    and, if two persons were needed, `second`.
    `books` are the jackpot's books after the change; None in journals of older versions.
    """

    spot: str
    kind: MeterMoveKind
    before: int
    after: int
    why: str
    who: str = ""
    second: str = ""
    books: Books | None = None


@dataclass(frozen=True, slots=True)
class LevelRead:
    """What this table has counted for a linked level since its journal began, after a betting close or a void
    round: rounds with wagers, wagers, and their stakes in cents. Void wagers stay in `wagers`."""

    level: str
    rounds: int
    wagers: int
    wagered: int
    voided_wagers: int
    voided: int


@dataclass(frozen=True, slots=True)
class ClaimMoved:
    """The state of a jackpot claim after a step."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """An ended round: its public view, and a script to replay it. Older versions wrote no script."""

    round: RoundView
    script: RoundScript | None = None


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """A person corrected a card that was misread, or added a card that was missing: the card, and the settled
    lines before and after.

    `old` is empty for an added card. The note names no face-down card. If the round had already ended,
    `ended` is its corrected version.
    """

    number: int
    seat: int
    hand: int
    card: int
    old: str
    new: str
    who: str
    why: str
    second: str
    told: tuple[str, ...]
    """The sentences of the preview that the person saw."""
    before: tuple[LineView, ...]
    after: tuple[LineView, ...]
    ended: RoundEnded | None = None


@dataclass(frozen=True, slots=True)
class KeyUndone:
    """A key of the round in play was taken back: the key, the persons, and in `told` the sentences of the
    preview that they saw."""

    number: int
    action: str
    seat: int
    cents: int | None
    who: str
    second: str
    why: str
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RequestMoved:
    """The state of a request after each change: made, granted by one person or by all, declined, withdrawn or
    failed.

    `by` is the person who caused the change, empty if nobody did. `because` is the reason, in a sentence.
    """

    number: int
    about: str
    state: str
    who: str
    why: str
    needs: int
    grants: tuple[str, ...]
    sentences: tuple[str, ...]
    by: str = ""
    because: str = ""


@dataclass(frozen=True, slots=True)
class ShoeEnded:
    """The shoe was reloaded: what happened to the cards of the `decks` decks that it held before.

    `seen` counts how often each card was seen; `unseen` counts the cards that left the shoe face down and
    were never turned. `balanced` is true if every card is accounted for.
    """

    decks: int
    dealt: int
    burned: int
    unread: int
    waiting: int
    """Cards that left the shoe and have no place yet."""
    left: int
    """Cards that stayed in the shoe behind the cut card."""
    seen: dict[str, int]
    unseen: int
    balanced: bool


@dataclass(frozen=True, slots=True)
class DeckChecked:
    """A shuffler counted its pack: the shuffler, the number of decks that it should hold, and in `wrong` what
    differs, such as "Ts 1 missing". `good` is true if `wrong` is empty."""

    device: str
    serial: str
    adapter: str
    hardware: str
    firmware: str
    decks: int
    good: bool
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cleared:
    """A person has dealt with a device's unreadable event, or with a device that disconnects too often. The
    daemon may use the device again."""

    device: str


@dataclass(frozen=True, slots=True)
class FirmwareUpdated:
    """Two persons updated a device's firmware while the daemon was stopped. One note is written when the
    update begins, another when it ends.

    `before` is the version that the device reported before the update, empty if it reported none.
    """

    device: str
    who: str
    second: str
    before: str
    version: int
    sha256: str
    result: str
    """"begun", "confirmed", "runs already", "reverted", "reverts", "failed" or "interrupted"."""
    text: str


@dataclass(frozen=True, slots=True)
class MakerKeyReplaced:
    """Two persons let a device trust another key of its maker while the daemon was stopped. One note is
    written when they begin, another when it ends.

    `key` is the public key, as hexadecimal digits.
    """

    device: str
    who: str
    second: str
    generation: int
    key: str
    result: str
    """"begun", "replaced", "failed" or "interrupted"."""
    text: str


@dataclass(frozen=True, slots=True)
class ClockStepped:
    """The system clock was set `seconds` ahead, or back if negative, compared with the monotonic clock.

    If `asleep` is true, the clock was found at a start to be behind the journal's last timestamp. A step
    affects only the timestamps.
    """

    seconds: float
    asleep: bool = False


@dataclass(frozen=True, slots=True)
class SelfTested:
    """The result of the self-test, which the daemon runs before it opens a port.

    `files` is the number of installed files that were compared with the manifest; `manifest` is the SHA-256
    of the manifest. Without a manifest they are 0 and empty.
    """

    version: str
    files: int
    manifest: str


@dataclass(frozen=True, slots=True)
class Accessed:
    """A person signed in or out, proved again who they are, or was refused; an account was changed; or the
    table took a directory of the floor.

    `what` is "signed in", "signed out", "confirmed", "refused", "locked out", "expired", "replaced",
    "forged", "account", "directory" or "sealed account". `address` is the network address, empty for this
    computer. `text` gives the details in a sentence. A note contains no password, PIN or other secret.
    """

    what: str
    who: str
    role: str = ""
    address: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Retired:
    """A closed file of the journal, with the rows `first` to `last`, has passed its retention period.

    The file is deleted after this note is on disk.
    """

    file: str
    first: int
    last: int
    sha256: str


def alert_text(note: "Note") -> str:
    """The text of an alert or a suspension; empty for any other note."""
    if isinstance(note, Suspended):
        return note.why
    return note.text if isinstance(note, Alert) else ""


Note = (
    Accessed
    | CardOpened
    | Cleared
    | Retired
    | FirmwareUpdated
    | MakerKeyReplaced
    | Alert
    | Refusal
    | Overridden
    | Suspended
    | Resumed
    | Permitted
    | Action
    | Settled
    | Revealed
    | Peeked
    | MeterMoved
    | LevelRead
    | ClaimMoved
    | RoundEnded
    | RoundCorrected
    | KeyUndone
    | RequestMoved
    | ShoeEnded
    | DeckChecked
    | ClockStepped
    | SelfTested
)

WORDS: dict[type, str] = {RequestMade: "ask", RequestAnswered: "answer", FloorCommand: "floor command"}
"""The `action` of a refusal, by the type of the refused input. A key's action is its own; any other input has
the action "supervise"."""


def refusal_note(event: Input, refused: NotAllowed) -> Refusal:
    """The note of a refused input: the action, the person's name and the reason."""
    who = getattr(event, "who", "")
    if isinstance(event, ConsoleKey):
        return Refusal(event.action, event.seat, str(refused), who)
    return Refusal(WORDS.get(type(event), "supervise"), 0, str(refused), who)
