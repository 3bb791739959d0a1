"""The views of the table: frozen records that pages, metrics and logs show to anyone.

The dealer's face-down card is in none of them before it is turned; "??" stands for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AmountView:
    """What a key may be for, in cents: a multiple of `step` from `least` to `most`, None: without end."""

    usual: int | None
    """What it is for without an amount; None is unknown."""
    least: int
    most: int | None
    step: int


@dataclass(frozen=True, slots=True)
class LegalKeyView:
    """A key that the table takes now."""

    action: str
    seats: tuple[int, ...]
    """For which it may be pressed; 0 is the whole table."""
    amount: AmountView | None = None
    """None: it comes without one."""


@dataclass(frozen=True, slots=True)
class ReasonView:
    """Why play is suspended."""

    text: str
    passes: bool
    """It ends with its cause, without anybody's word."""
    choices: tuple[str, ...]
    """What a supervisor may say about it now; what fits best stands first."""


@dataclass(frozen=True, slots=True)
class WaitingView:
    """The card that waits for a decision; which one it is may be a secret."""

    count: int
    unread: bool
    """Nobody has read it: who decides names it."""
    due: bool
    """A card is due: it may take that place."""


@dataclass(frozen=True, slots=True)
class RulingView:
    """Why play is suspended, those that need a person first, and what a supervisor may say now at all."""

    reasons: tuple[ReasonView, ...] = ()
    waiting: WaitingView | None = None
    choices: tuple[str, ...] = ()


NO_RULING = RulingView()

OUTCOME_SENTENCES: Mapping[str, str] = {
    "granted": "was granted by {who}",
    "declined": "was declined by {who}",
    "withdrawn": "was withdrawn by {who}",
    "failed": "came too late: {why}",
}
"""What became of a request that is not open any more, by its `state`, in words that follow its number."""


@dataclass(frozen=True, slots=True)
class RequestView:
    """What somebody has asked for and others must grant; `at` is seconds of Unix time."""

    number: int
    about: str
    """undo, help, void, correct, assign, meter, parameters."""
    who: str
    """Who asks, by name; "configuration" for changed parameters."""
    why: str
    at: float
    needs: int
    """How many persons must grant it; who asks is none of them."""
    grants: tuple[str, ...]
    """Who has granted it so far, by name."""
    sentences: tuple[str, ...]
    """What it would do."""
    state: str
    """open; or, once it is answered: granted, declined, withdrawn (by who asked), failed (it came too
    late)."""
    round: int
    """The round that it was asked in."""


@dataclass(frozen=True, slots=True)
class AnsweredView:
    """A request that is not open any more; its `state` says what became of it."""

    request: RequestView
    who: str
    """Whose answer ended it, by name; empty where it failed."""
    at: float
    why: str
    """Why, in a sentence; empty where nobody said."""
    round: int = 0
    """The round in which it was answered."""


@dataclass(frozen=True, slots=True)
class FedView:
    """How a jackpot is fed; amounts in cents, shares of each stake as text."""

    seed: int
    reset: int
    contribution: str
    reserve: str
    limit: int | None
    threshold: int | None


@dataclass(frozen=True, slots=True)
class BooksView:
    """Where every unit of 1/10,000 cent is: contributions + seeds = display + locked + reserve + overflow +
    paid. `wagered` is in cents; `wins` is what was won, paid or not yet."""

    display: int
    locked: int
    reserve: int
    overflow: int
    paid: int
    contributions: int
    seeds: int
    wagers: int
    wagered: int
    hits: int
    wins: int


@dataclass(frozen=True, slots=True)
class MeterView:
    """The jackpot of a spot; `cents` is what is played for."""

    spot: str
    cents: int
    state: str
    """runs, won (in the round in play), waits (for its game)."""
    books: BooksView
    now: FedView
    pending: FedView | None
    """Parameters that wait until it is won."""


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A won share, in cents; names are empty until somebody signed."""

    number: int
    spot: str
    round: int
    seat: int
    cards: tuple[str, ...]
    """The seat's first two, then the up-card."""
    hit: str
    share: str
    cents: int
    shown: int
    """What the jackpot showed before."""
    base: int
    """What it showed after the round's last share."""
    state: str
    """pending, confirmed, checked (by one of two), verified, paid, void."""
    steps: tuple[str, ...]
    """What may be done about it now."""
    tax: bool
    dealer: str
    supervisor: str
    second: str
    payer: str
    voided_by: str
    why: str
    by_two: bool = False
    """A second person has to verify it."""


HIDDEN = "??"


@dataclass(frozen=True, slots=True)
class HandView:
    """Cards as two characters, in the order they came; `total` is absent while a card is hidden."""

    cards: tuple[str, ...]
    total: int | None
    label: str
    """What became of it, in a word or two: "bust", "natural", "stands"; empty while it plays."""


@dataclass(frozen=True, slots=True)
class PlayedHandView(HandView):
    """One hand of a seat."""

    bet: int | None = None
    """Cents wagered on it, with what was doubled; None is unknown."""
    active: bool = False
    """It is this hand's turn."""


@dataclass(frozen=True, slots=True)
class SpotView:
    """One betting circle: `cents` is what stands there for all hands, None where no sensor could value it."""

    spot: str
    present: bool
    cents: int | None
    lamp: str
    """Name of a lamp pattern: off, open, no bets, latched, win, jackpot, fault."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One betting position; `net` is the result of this round in cents once it is settled."""

    seat: int
    active: bool
    """The dealer is to act on this seat now."""
    spots: tuple[SpotView, ...]
    hands: tuple[PlayedHandView, ...]
    net: int | None
    insurance: int | None = 0
    """Cents that the seat's insurance is for; 0: it has none, None is unknown."""


@dataclass(frozen=True, slots=True)
class JackpotView:
    """What is played for on a spot, in cents."""

    spot: str
    cents: int


@dataclass(frozen=True, slots=True)
class LineView:
    """One settled wager."""

    seat: int
    hand: int
    wager: str
    amount: int | None
    outcome: str
    pays: str | None
    paid: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class RoundView:
    """One ended round."""

    number: int
    outcome: str
    """"settled" or "void"."""
    dealer: HandView
    seats: tuple[SeatView, ...]
    lines: tuple[LineView, ...]
    bank: int | None = None
    """The seat that banked it, 0: the house's third party; None: the house itself."""
    jackpots: tuple[JackpotView, ...] = ()
    """As they were shown when betting had closed."""
    corrections: tuple[str, ...] = ()
    """Cards that were put right, each in a sentence: the round says so for ever."""


@dataclass(frozen=True, slots=True)
class ConditionView:
    """What a device said of itself in its last heartbeat."""

    mode: str
    """ready, busy, fault, ring full, updating."""
    celsius: int
    errors: int
    free: int
    """Events that its memory has room for."""


@dataclass(frozen=True, slots=True)
class DeviceView:
    """One configured device and how it is."""

    name: str
    kind: str
    port: str
    state: str
    """waiting, connecting, identifying, catching up, running, refused, backing off, held off."""
    detail: str
    """What a technician should know: why it is refused or missing, in a sentence; else empty."""
    serial: str
    firmware: str
    insecure: bool
    counters: dict[str, int]
    adapter: str = ""
    """The make of a commercial shoe, whose adapter is unverified on hardware; else empty."""
    hardware: str = ""
    condition: ConditionView | None = None
    """None without a session."""
    since: float = 0.0
    """When it began to serve, or not to, in seconds of Unix time."""


@dataclass(frozen=True, slots=True)
class ShoeView:
    """The cards in play; how many are out says nothing of which."""

    loaded: bool
    decks: int
    cards_out: int
    cut_card_out: bool
    shuffler: str
    last: str = ""
    """What became of the cards of the shoe before, in a sentence."""


@dataclass(frozen=True, slots=True)
class AlarmView:
    """An alert that waits for a person to acknowledge it. Times are seconds of Unix time: when it was raised
    first and last, and when its cause ended."""

    number: int
    text: str
    first: float
    last: float
    count: int
    round: int
    ended: float | None = None
    """None: its cause lasts, or it tells of a moment and has none that could end."""
    once: bool = False
    """It tells of a moment."""


@dataclass(frozen=True, slots=True)
class AcknowledgedView:
    """An alert that somebody has acknowledged: who, and when, in seconds of Unix time."""

    alarm: AlarmView
    who: str
    at: float


@dataclass(frozen=True, slots=True)
class PaceView:
    """How quickly rounds follow each other."""

    per_hour: int | None
    """Over the last rounds; None until two have ended."""
    target: int
    """Rounds an hour that the house wants; 0: it has not said."""
    last: float | None
    """When the last round ended, in seconds of Unix time."""


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything a page shows."""

    table: str
    game: str
    """The game's name as players know it."""
    round: int
    phase: str
    prompt: str
    prompt_seat: int
    keys: tuple[str, ...]
    """The dealer's legal keys."""
    suspended: tuple[str, ...]
    """Why play is suspended, each in a sentence; empty while it is not."""
    alerts: tuple[str, ...]
    dealer: HandView
    seats: tuple[SeatView, ...]
    lines: tuple[LineView, ...]
    shoe: ShoeView
    display: tuple[str, ...]
    """The lines of the players' display."""
    devices: tuple[DeviceView, ...]
    rounds: tuple[RoundView, ...]
    """The last rounds, newest first."""
    bank: int | None = None
    """The seat that banks the round, 0: the house's third party; None: the house itself."""
    window: str = ""
    """What may be wagered or chosen now, after the deal, beside the play: "EZ Bust", "insurance"."""
    jackpots: tuple[JackpotView, ...] = ()
    meters: tuple[MeterView, ...] = ()
    """Every jackpot with its books, those of other games too."""
    claims: tuple[ClaimView, ...] = ()
    """Won shares: all that are open, and the last ones that were paid or are void; the newest first."""
    selftest: str = ""
    """What the daemon found of its own files, in a sentence."""
    croupier: str = ""
    """Who deals, by name; empty: nobody has said."""
    alarms: tuple[AlarmView, ...] = ()
    """Alerts that nobody has acknowledged yet, oldest first."""
    acknowledged: tuple[AcknowledgedView, ...] = ()
    """The last ones that somebody has, newest first."""
    pace: PaceView = PaceView(None, 0, None)
    testing: str = ""
    """Who tests the table, and since when; empty: nobody does."""
    lamp_test: str = ""
    """What all lamps show for a test, in words; empty: nothing."""
    echo: tuple[str, ...] = ()
    """What was touched in test mode, in sentences, newest first."""
    requests: tuple[RequestView, ...] = ()
    """What somebody has asked for and others must grant, oldest first."""
    answered: tuple[AnsweredView, ...] = ()
    """The last requests that are not open any more, newest first."""
    presses: tuple[LegalKeyView, ...] = ()
    """The legal keys again, each with the seats that it may be pressed for."""
    ruling: RulingView = NO_RULING
    """Why play is suspended once more, and what a supervisor may say now."""
