"""A query for rounds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal, get_args

from controller.cards import DECK
from controller.journal.history import AFTER_LAST_ROW, ANY_TIME, TimeSpan
from controller.table.view.lamps import SHARE_SUFFIX
from controller.text.characters import is_part

Outcome = Literal["settled", "void", "corrected", "jackpot", "bust"]
OUTCOMES: tuple[str, ...] = get_args(Outcome)
JsonObject = Mapping[str, Any]
MOST_ROWS = 1_000_000
MOST_SECONDS = 8.0
"""What one question reads, and how long it does; the next question goes on from there."""
RANKS = frozenset(card[0] for card in DECK)


@dataclass(frozen=True, slots=True)
class RoundQuery:
    """A round must match all of it; what is empty or 0 matches every round.

    One settled line must be of that `seat` and `wager`, and have paid more than `over` cents. `outcome`:
    "settled" or "void"; "corrected"; with a share of a "jackpot"; with the dealer's "bust". `cards`: all of
    them were on the table; "Ts" is one card, "T" any ten. `dealer`: part of the dealer's name. `person`: part
    of the name of a person who decided, asked, agreed or corrected. `before`: only rounds whose row has a
    smaller number.
    """

    number: int = 0
    span: TimeSpan = ANY_TIME
    seat: int = 0
    wager: str = ""
    over: int | None = None
    outcome: str = ""
    cards: tuple[str, ...] = ()
    dealer: str = ""
    person: str = ""
    before: int = AFTER_LAST_ROW

    def __post_init__(self) -> None:
        if self.outcome and self.outcome not in OUTCOMES:
            raise ValueError(f"outcome = {self.outcome!r}: not allowed; allowed: {', '.join(OUTCOMES)}")
        for card in self.cards:
            if card not in DECK and card not in RANKS:
                raise ValueError(
                    f"cards = {card!r} is not a card; allowed: rank and suit as Ts, or a rank as T"
                )


class SearchBudget:
    """What one question may read: so many rows, and no longer than so many seconds. A disk may be slow."""

    def __init__(self, rows: int, seconds: float) -> None:
        self._rows, self._until = rows, monotonic() + seconds

    def spend(self, rows: int) -> None:
        self._rows -= rows

    @property
    def spent(self) -> bool:
        return self._rows <= 0 or monotonic() > self._until


def cards_of(text: str) -> tuple[str, ...]:
    """The cards in a text as people type it: "7S 10h q" is 7s, Th and any queen."""
    return tuple(_card(word) for word in text.replace(",", " ").split())


def matches(query: RoundQuery, shown: JsonObject, persons: Iterable[str]) -> bool:
    """Whether a round matches, apart from its dealer. `shown`: the JSON of its RoundView, of any version;
    `persons`: who decided or asked for something in it."""
    return (
        _outcome(query.outcome, shown)
        and _lines(query, shown["lines"])
        and _has_cards(query.cards, shown)
        and (not query.person or any(is_part(query.person, person) for person in persons))
    )


def hands_of(shown: JsonObject) -> Iterator[JsonObject]:
    """The dealer's hand and those of the seats."""
    yield shown["dealer"]
    for seat in shown["seats"]:
        yield from seat["hands"]


def is_share(pays: str | None) -> bool:
    """Whether this pay is a share of a jackpot."""
    return bool(pays and pays.endswith(SHARE_SUFFIX))


def _outcome(outcome: str, shown: JsonObject) -> bool:
    match outcome:
        case "corrected":
            return bool(shown.get("corrections"))
        case "jackpot":
            return any(is_share(line["pays"]) for line in shown["lines"])
        case "bust":
            return bool(shown["dealer"]["label"] == "bust")
    return outcome in ("", shown["outcome"])


def _lines(query: RoundQuery, lines: Iterable[JsonObject]) -> bool:
    if not (query.seat or query.wager or query.over is not None):
        return True
    return any(
        query.seat in (0, line["seat"])
        and query.wager in ("", line["wager"])
        and (query.over is None or (line["paid"] is not None and line["paid"] > query.over))
        for line in lines
    )


def _has_cards(cards: Iterable[str], shown: JsonObject) -> bool:
    lying = Counter(card for hand in hands_of(shown) for card in hand["cards"])
    lying.update([card[0] for card in lying.elements()])
    return Counter(cards) <= lying


def _card(word: str) -> str:
    tidy = word.upper().replace("10", "T")
    return f"{tidy[0]}{tidy[1].lower()}" if len(tidy) == 2 else tidy
