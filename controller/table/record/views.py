"""The views of the table: frozen records that pages, metrics and logs show to anyone.

The dealer's face-down card is in none of them before it is turned; "??" stands for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.currency import Chip, Currency


@dataclass(frozen=True, slots=True)
class AmountView:
    """The amounts that a key accepts, in cents: multiples of `step` from `least` to `most`. There is no upper
    limit if `most` is None."""

    usual: int | None
    """The amount if none is typed; None if it is unknown."""
    least: int
    most: int | None
    step: int


@dataclass(frozen=True, slots=True)
class LegalKeyView:
    """A key that is legal now."""

    action: str
    seats: tuple[int, ...]
    """The seats that it may be pressed for; 0 is the whole table."""
    amount: AmountView | None = None
    """None if the key has no amount."""


@dataclass(frozen=True, slots=True)
class ReasonView:
    """One reason why play is suspended."""

    text: str
    passes: bool
    """True if the reason ends with its cause, without a person's decision."""
    choices: tuple[str, ...]
    """The choices that a supervisor has for it now, the most suitable first."""


@dataclass(frozen=True, slots=True)
class WaitingView:
    """The card that waits for a decision. The view does not name it, because it may be a face-down card."""

    count: int
    unread: bool
    """True if the shoe could not read the card: the person who decides must name it."""
    due: bool
    """True if a card is due, so that the waiting card may take its place."""


@dataclass(frozen=True, slots=True)
class RulingView:
    """Why play is suspended, with the reasons that need a person first, and all choices that a supervisor has
    now."""

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
"""The outcome of a closed request by its `state`, as words that follow the request's number."""


@dataclass(frozen=True, slots=True)
class RequestView:
    """A request that others must grant; `at` is in seconds of Unix time."""

    number: int
    about: str
    """undo, help, void, correct, assign, meter, parameters."""
    who: str
    """The name of the person who asks; "configuration" for changed parameters."""
    why: str
    at: float
    needs: int
    """How many persons must grant it, besides the person who asks."""
    grants: tuple[str, ...]
    """The names of those who have granted it so far."""
    sentences: tuple[str, ...]
    """The effects of the request."""
    state: str
    """open; or, once it is closed: granted, declined, withdrawn (by the person who asked), failed (it came
    too late)."""
    round: int
    """The round in which it was made."""


@dataclass(frozen=True, slots=True)
class AnsweredView:
    """A closed request; its `state` is the outcome."""

    request: RequestView
    who: str
    """The name of the person whose answer closed it; empty if it failed."""
    at: float
    why: str
    """The reason, in a sentence; empty if none was given."""
    round: int = 0
    """The round in which it was answered."""


@dataclass(frozen=True, slots=True)
class FaultyLampView:
    """A lamp that a technician reported as faulty."""

    seat: int
    spot: str
    """The spot's name in the game."""


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
    """The books of a jackpot, in units of 1/10,000 cent. The invariant is contributions + seeds = display +
    locked + reserve + overflow + paid.

    `wagered` is in cents; `wagers` and `hits` are numbers of wagers and of wins. `wins` is the total won,
    whether paid or not.
    """

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
    """The jackpot of a spot; `cents` is the amount that can be won."""

    spot: str
    cents: int
    state: str
    """runs; won (in the round in play); waits (it belongs to a game that is not being played)."""
    books: BooksView
    now: FedView
    pending: FedView | None
    """Parameters that apply once it is won; None if no change is pending."""


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A won share, in cents. The name of each person is empty until that person has taken the step."""

    number: int
    spot: str
    round: int
    seat: int
    cards: tuple[str, ...]
    """The seat's first two cards, then the up-card."""
    hit: str
    share: str
    cents: int
    shown: int
    """The amount that the jackpot showed before, in cents."""
    base: int
    """The amount that it showed after the round's last share, in cents."""
    state: str
    """pending, confirmed, checked (by one of two), verified, paid, void."""
    steps: tuple[str, ...]
    """The steps that may be taken now."""
    tax: bool
    dealer: str
    supervisor: str
    second: str
    payer: str
    voided_by: str
    why: str
    by_two: bool = False
    """Whether a second person has to verify it."""
    level: str = ""
    """The linked progressive that the share is of; empty for a jackpot of this table."""
    decided: bool = True
    """Whether `cents` are known: a linked progressive decides them."""
    order: tuple[int, ...] = ()
    """The place of the claim among those of all tables of a linked progressive."""

    @property
    def amount(self) -> int | None:
        """The cents, None as long as they are not decided."""
        return self.cents if self.decided else None


HIDDEN = "??"


@dataclass(frozen=True, slots=True)
class HandView:
    """Cards as two characters each, in the order in which they were dealt. `total` is None while a card is
    hidden."""

    cards: tuple[str, ...]
    total: int | None
    label: str
    """The result in a word or two, such as "bust", "natural" or "stands"; empty while the hand is played."""


@dataclass(frozen=True, slots=True)
class PlayedHandView(HandView):
    """One hand of a seat."""

    bet: int | None = None
    """Cents wagered on it, including doubles; None if the amount is unknown."""
    active: bool = False
    """Whether it is this hand's turn."""


@dataclass(frozen=True, slots=True)
class SpotView:
    """One betting circle. `cents` is the total wagered there for all hands, None if no sensor could determine
    the amount."""

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
    """Whether the dealer has to act on this seat now."""
    spots: tuple[SpotView, ...]
    hands: tuple[PlayedHandView, ...]
    net: int | None
    insurance: int | None = 0
    """The seat's insurance wager in cents; 0 if it has none, None if the amount is unknown."""


@dataclass(frozen=True, slots=True)
class JackpotView:
    """The amount that can be won on a spot, in cents. `state`: that of a linked level at this table (open,
    pending, lost, closed), empty for a jackpot of its own."""

    spot: str
    cents: int
    state: str = ""


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
    """The seat that banked it; 0 for the third party that banks for the house, None for the house itself."""
    jackpots: tuple[JackpotView, ...] = ()
    """The jackpots as shown when betting closed."""
    corrections: tuple[str, ...] = ()
    """A sentence for each correction of the round's cards."""


@dataclass(frozen=True, slots=True)
class ConditionView:
    """The condition that a device reported in its last heartbeat."""

    mode: str
    """ready, busy, fault, ring full, updating."""
    celsius: int
    errors: int
    free: int
    """How many more events its memory can hold."""


@dataclass(frozen=True, slots=True)
class DeviceView:
    """One configured device and its state."""

    name: str
    kind: str
    port: str
    state: str
    """waiting, connecting, identifying, catching up, running, refused, backing off, held off."""
    detail: str
    """A sentence for the technician: why the device is refused or missing; else empty."""
    serial: str
    firmware: str
    insecure: bool
    counters: dict[str, int]
    adapter: str = ""
    """The make of a commercial shoe, whose adapter is unverified on hardware; else empty."""
    hardware: str = ""
    condition: ConditionView | None = None
    """None if the device has no session."""
    since: float = 0.0
    """When the device became available, or ceased to be, in seconds of Unix time."""


@dataclass(frozen=True, slots=True)
class ShoeView:
    """The shoe in use. `cards_out` counts the cards that have left it and does not reveal which."""

    loaded: bool
    decks: int
    cards_out: int
    cut_card_out: bool
    shuffler: str
    last: str = ""
    """What happened to the cards of the previous shoe, in a sentence."""


@dataclass(frozen=True, slots=True)
class AlarmView:
    """An alert, with times in seconds of Unix time: when it was first and last raised, and when its cause
    ended."""

    number: int
    text: str
    first: float
    last: float
    count: int
    round: int
    ended: float | None = None
    """None if its cause persists, or if it reports a single event, which has no end."""
    once: bool = False
    """Whether it reports a single event."""


@dataclass(frozen=True, slots=True)
class AcknowledgedView:
    """An alert that `who` acknowledged at `at`, in seconds of Unix time."""

    alarm: AlarmView
    who: str
    at: float


@dataclass(frozen=True, slots=True)
class PaceView:
    """The pace of play."""

    per_hour: int | None
    """Rounds an hour over the last rounds; None until two have ended."""
    target: int
    """Rounds an hour that the house wants; 0 if no target is configured."""
    last: float | None
    """When the last round ended, in seconds of Unix time."""


@dataclass(frozen=True, slots=True)
class TableView:
    """All that the pages show of a table."""

    table: str
    """The table's name."""
    game: str
    """The game's name as players know it."""
    round: int
    """The number of the round."""
    phase: str
    """The phase of the round."""
    prompt: str
    """What is due. If the dealer has yet to confirm a claim, the prompt begins with it."""
    prompt_seat: int
    """The seat for which it is due, or that of the claim; 0 for none."""
    keys: tuple[str, ...]
    """The dealer's legal keys."""
    suspended: tuple[str, ...]
    """A sentence for each reason why play is suspended; empty if it is not."""
    alerts: tuple[str, ...]
    """A sentence for each thing that somebody should look at."""
    dealer: HandView
    """The dealer's hand."""
    seats: tuple[SeatView, ...]
    """The seats of the table."""
    lines: tuple[LineView, ...]
    """The settled wagers of the round."""
    shoe: ShoeView
    """The shoe in use."""
    display: tuple[str, ...]
    """The lines of the players' display."""
    devices: tuple[DeviceView, ...]
    """The configured devices."""
    rounds: tuple[RoundView, ...]
    """Up to 50 ended rounds, newest first."""
    bank: int | None = None
    """The seat that banks the round; 0 for the third party that banks for the house, None for the house
    itself."""
    window: str = ""
    """The wager or choice that is open now, after the deal, such as "EZ Bust" or "insurance"; else empty."""
    jackpots: tuple[JackpotView, ...] = ()
    """The jackpots of the game. In `rounds`, as they were shown when betting closed."""
    meters: tuple[MeterView, ...] = ()
    """Every jackpot with its books, including those of other games."""
    claims: tuple[ClaimView, ...] = ()
    """Won shares, newest first: all open ones, and the last ones that were paid or voided."""
    selftest: str = ""
    """The result of the daemon's self-test, in a sentence."""
    croupier: str = ""
    """The dealer's name; empty if it is not known."""
    alarms: tuple[AlarmView, ...] = ()
    """Alerts that nobody has acknowledged yet, oldest first."""
    acknowledged: tuple[AcknowledgedView, ...] = ()
    """The last acknowledged alerts, newest first."""
    pace: PaceView = PaceView(None, 0, None)
    """The pace of play."""
    testing: str = ""
    """Who tests the table, and since when; empty if test mode is off."""
    lamp_test: str = ""
    """The pattern that all lamps show in a lamp test, in words; else empty."""
    faulty_lamps: tuple[FaultyLampView, ...] = ()
    """The lamps that were reported as faulty in this test, in that order."""
    echo: tuple[str, ...] = ()
    """The last things that were touched in test mode, in sentences, newest first."""
    requests: tuple[RequestView, ...] = ()
    """Open requests, oldest first."""
    answered: tuple[AnsweredView, ...] = ()
    """The last closed requests, newest first."""
    presses: tuple[LegalKeyView, ...] = ()
    """The keys in `keys`, each with the seats that it may be pressed for."""
    ruling: RulingView = NO_RULING
    """The reasons of `suspended`, with the choices that a supervisor has now."""
    currency: str = ""
    """The code of the currency in ISO 4217; empty if the table has none."""
    minor_digits: int = 2
    """How many digits of each amount come after the decimal point: amounts are in minor units."""
    chips: tuple[Chip, ...] = ()
    """The chips of the table, the smallest first."""
    time_zone: str = "UTC"
    """The name of the table's time zone."""

    @property
    def money(self) -> Currency:
        return Currency(self.currency, self.minor_digits)
