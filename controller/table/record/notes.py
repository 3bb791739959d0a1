"""What is kept of a person's word that the table refused.

What the table notes down of what followed from an input: kept for ever, never replayed.

No note carries a time: the journal's row does.
"""

from dataclasses import dataclass
from typing import Literal

from controller.jackpot import Books, Claim
from controller.round import Peeked, Revealed, Settled
from controller.table.errors import NotAllowed
from controller.table.record.events import Action, ConsoleKey, Input, RequestAnswered, RequestMade
from controller.table.record.round_script import RoundScript
from controller.table.record.views import LineView, RoundView

__all__ = [
    "Accessed",
    "Alert",
    "ClaimMoved",
    "Cleared",
    "ClockStepped",
    "DeckChecked",
    "FirmwareUpdated",
    "KeyUndone",
    "MeterMoveKind",
    "MeterMoved",
    "Note",
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
class Refusal:
    """A key that is not legal now, and why."""

    action: str
    seat: int
    reason: str
    who: str = ""
    """Whose word it was, where that is known."""


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
    """The jackpot of a spot shows another amount, in cents.

    `kind` "lock": won, and locked until it is paid; "correction": a typed one, by two persons (`who` and
    `second`) where the meter goes down. `books`: where every unit is now; older versions wrote none.
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
class ClaimMoved:
    """A claim of a jackpot, as it is after a step."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round as anyone may look it up for ever, and as a script; older versions wrote none."""

    round: RoundView
    script: RoundScript | None = None


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """A card of a round was another one than was read, or one came late: what it changed, and the settled
    lines before and after. `old` is empty for a card that came late; what nobody has turned is not in here.

    `ended`: the round as it says from now on, if it had ended before.
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
    """What a person was shown before, in sentences."""
    before: tuple[LineView, ...]
    after: tuple[LineView, ...]
    ended: RoundEnded | None = None


@dataclass(frozen=True, slots=True)
class KeyUndone:
    """A key of the round in play was taken back: which, who said so, and what they were shown before."""

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
    """A request as it is after something became of it: asked (`open`), granted, by all or by one of those
    it needs, declined, withdrawn, failed. `by`: who did that, empty for nobody; `because`: in a sentence."""

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
    """The shoe is loaded afresh: what became of the cards of `decks` that it held. `seen`: how often each was
    seen; `unseen` left and were never turned. `balanced`: all cards are accounted for."""

    decks: int
    dealt: int
    burned: int
    unread: int
    waiting: int
    """They have no place yet."""
    left: int
    """Behind the cut card."""
    seen: dict[str, int]
    unseen: int
    balanced: bool


@dataclass(frozen=True, slots=True)
class DeckChecked:
    """A shuffler counted its pack: who it is, what it was to hold, and what it found instead, as
    "Ts 1 missing"; `good`: nothing."""

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


@dataclass(frozen=True, slots=True)
class ClockStepped:
    """The clock of the stamps went `seconds` ahead (under 0: back) against the one that never jumps, or, at a
    start, `asleep`, is behind the last stamp. Nothing but the stamps is different."""

    seconds: float
    asleep: bool = False


@dataclass(frozen=True, slots=True)
class SelfTested:
    """What a daemon found of itself before it touched a port; `files`: how many of its own it compared with
    the manifest whose SHA-256 is `manifest`, 0 and empty where there is none."""

    version: str
    files: int
    manifest: str


@dataclass(frozen=True, slots=True)
class Accessed:
    """Somebody came or went, was sent away, or an account was changed; `what` is signed in,
    signed out, refused, locked out, expired, replaced, forged or account.

    `address` is where from, empty on this machine; `text` says the rest in a sentence. Never a secret.
    """

    what: str
    who: str
    role: str = ""
    address: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Retired:
    """A closed file of the journal, with the rows `first` to `last`, is older than files are kept.

    It is taken away once this is on disk.
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
    | Cleared
    | Retired
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

WORDS: dict[type, str] = {RequestMade: "ask", RequestAnswered: "answer"}
"""What they wanted; any other word than a key was a supervisor's."""


def refusal_note(event: Input, refused: NotAllowed) -> Refusal:
    """Who wanted what, and why it was not done."""
    who = getattr(event, "who", "")
    if isinstance(event, ConsoleKey):
        return Refusal(event.action, event.seat, str(refused), who)
    return Refusal(WORDS.get(type(event), "supervise"), 0, str(refused), who)
