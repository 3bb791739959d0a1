"""The records that are derived from rows. Money is in minor units, times are seconds of Unix time.

A row can say anything, so each record refuses what its table in the store cannot hold.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from math import inf
from typing import Final, Self

from controller.currency import Currency, named_currency
from controller.money import sum_cents
from controller.past.recall.condensed import line_text, outcome_words
from controller.past.recall.query import is_share
from controller.table.record.views import HIDDEN, LineView, RoundView


def _is_whole(value: object) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63


def _is_time(value: object) -> bool:
    return type(value) in (int, float) and -inf < value < inf  # type: ignore[operator]


def _is_text(value: object) -> bool:
    """Half a surrogate pair is none: UTF-8 cannot write it."""
    return isinstance(value, str) and value == value.encode(errors="replace").decode()


_ALLOWED: Final[Mapping[object, tuple[Callable[[object], bool], str]]] = {
    int: (_is_whole, "a whole number of 64 bits"),
    int | None: (lambda value: value is None or _is_whole(value), "a whole number of 64 bits, or null"),
    float: (_is_time, "a finite number"),
    str: (_is_text, "text"),
}
"""By the type of a field: whether a value is allowed, and what is."""


@dataclass(frozen=True, slots=True)
class DerivedRecord:
    """A record whose values the store can hold. Raises ValueError for one that it cannot."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value, rule = getattr(self, each.name), _ALLOWED.get(each.type)
            if rule and not rule[0](value):
                raise ValueError(f"{each.name} = {value!r:.80}; allowed: {rule[1]}")


@dataclass(frozen=True, slots=True)
class Course(DerivedRecord):
    """How play stands after a row: who deals, which game, the row of the last snapshot, with which the round
    in play began, and the code of the currency. Empty and 0 if no row has said so."""

    dealer: str = ""
    game: str = ""
    first: int = 0
    currency: str = ""

    @property
    def money(self) -> Currency:
        """The currency of the journal. Raises ValueError for a code that no currency has."""
        return named_currency(self.currency)


@dataclass(frozen=True, slots=True)
class PlayedRound(DerivedRecord):
    """What a round was, after its corrections.

    `outcome`: words, as "settled jackpot corrected". `seats`: the numbers of those who played, as "135".
    `wagered`, `paid`: of all wagers, None if one of them is unknown; `paid` is what the players won, below 0
    what they lost. `won_most`: the most that one wager won. `cards`: all on the table, as "Ts7h". `lines`:
    the settled wagers, each as ";seat:wager=paid", with "?" for what is unknown.
    """

    outcome: str
    seats: str
    wagered: int | None
    paid: int | None
    won_most: int
    cards: str
    lines: str

    @classmethod
    def of(cls, shown: RoundView) -> "PlayedRound":
        hands = (shown.dealer, *(hand for seat in shown.seats for hand in seat.hands))
        known = [line.paid for line in shown.lines if line.paid is not None]
        return cls(
            outcome=_outcome(shown),
            seats="".join(str(seat.seat) for seat in shown.seats if seat.hands),
            wagered=sum_cents(line.amount for line in shown.lines),
            paid=sum_cents(line.paid for line in shown.lines),
            won_most=max(0, *known, 0),
            cards="".join(card for hand in hands for card in hand.cards if card != HIDDEN),
            lines="".join(map(_line, shown.lines)),
        )


@dataclass(frozen=True, slots=True)
class StoredRound(DerivedRecord):
    """An ended round: the snapshot before it is in the row `first`, it ended in the row `last` at `at`.
    `dealer`: who dealt then; `currency`: the code of the currency of its amounts, empty if the journal names
    none."""

    number: int
    first: int
    last: int
    at: float
    dealer: str
    game: str
    played: PlayedRound
    currency: str = ""

    @property
    def money(self) -> Currency:
        """Raises ValueError for a code that no currency has."""
        return named_currency(self.currency)


@dataclass(frozen=True, slots=True)
class StoredAction(DerivedRecord):
    """What a person did. `kind`: a heading of the audit log; `second`: who else had to agree."""

    row: int
    at: float
    kind: str
    who: str
    second: str
    text: str


@dataclass(frozen=True, slots=True)
class StoredEvent(DerivedRecord):
    """A significant event. `severity`: info, warning, error; `device`: empty for the table itself."""

    row: int
    at: float
    severity: str
    code: str
    device: str
    text: str


@dataclass(frozen=True, slots=True)
class StoredHit(DerivedRecord):
    """A step of a jackpot's claim. `step`: the claim's state after it; `level`: the linked progressive that
    pays it, empty for the table itself; `n`: the entry of the progressive's log that decided the cents, 0 if
    none has; `currency`: the code of the currency of the cents, empty if the journal names none."""

    row: int
    at: float
    claim: int
    round: int
    seat: int
    spot: str
    cents: int
    step: str
    level: str
    n: int
    currency: str = ""


@dataclass(frozen=True, slots=True)
class StoredReading(DerivedRecord):
    """What a table had counted for a linked progressive since its journal began; stakes in cents. Void wagers
    are in `wagers` too."""

    row: int
    at: float
    level: str
    wagers: int
    wagered: int
    voided_wagers: int
    voided: int


@dataclass(frozen=True, slots=True)
class CorrectedRound(DerivedRecord):
    """What a round was after a correction that came after its end."""

    number: int
    played: PlayedRound


@dataclass(slots=True)
class DerivedRecords:
    """What some rows say.
    `unreadable`: rows that make no sense, and why."""

    rounds: list[StoredRound] = field(default_factory=list)
    corrected: list[CorrectedRound] = field(default_factory=list)
    actions: list[StoredAction] = field(default_factory=list)
    events: list[StoredEvent] = field(default_factory=list)
    hits: list[StoredHit] = field(default_factory=list)
    readings: list[StoredReading] = field(default_factory=list)
    unreadable: list[tuple[int, str]] = field(default_factory=list)

    def add(self, more: Self) -> None:
        for each in fields(self):
            getattr(self, each.name).extend(getattr(more, each.name))


def _outcome(shown: RoundView) -> str:
    return outcome_words(
        shown.outcome,
        bust=shown.dealer.label == "bust",
        jackpot=any(is_share(line.pays) for line in shown.lines),
        corrected=bool(shown.corrections),
    )


def _line(line: LineView) -> str:
    return line_text(line.seat, line.wager, "?" if line.paid is None else str(line.paid))
