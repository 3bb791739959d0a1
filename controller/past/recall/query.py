"""Which rounds are looked for."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from controller.cards import DECK
from controller.journal.history import AFTER_LAST_ROW, ANY_TIME, TimeSpan
from controller.table.view.lamps import SHARE_SUFFIX

Outcome = Literal["settled", "void", "corrected", "jackpot", "bust"]
OUTCOMES: tuple[str, ...] = get_args(Outcome)
JsonObject = Mapping[str, Any]
MOST_ROWS = 1_000_000
"""Rows that one question searches; the next question goes on from there."""
RANKS = frozenset(card[0] for card in DECK)


@dataclass(frozen=True, slots=True)
class RoundQuery:
    """All of it holds; what is empty or 0 holds for any round.

    One settled line is of that `seat` and that `wager` and was paid more than `over` cents. `outcome`:
    "settled" and "void" as the round ended, "corrected" ones, with a share of a "jackpot", with the dealer's
    "bust". `cards`: all of them lay on the table, "Ts" one card, "T" any ten. `dealer` is a part of the
    name of who dealt, `person` of somebody's who decided, asked or agreed, or put a card right. `before`:
    rounds whose row has a smaller number.
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
                raise ValueError(f"cards = {card!r}: no card; allowed: rank and suit as Ts, or a rank as T")

    @property
    def parts(self) -> list[str]:
        """Texts that the JSON of a round's row holds, whichever version wrote it."""
        wager = [f'"wager":"{self.wager}"'] if self.wager.isascii() and self.wager else []
        outcome = [PARTS[self.outcome]] if self.outcome in PARTS else []
        return [*wager, *outcome, *(f'"{card}' for card in self.cards)]


PARTS = {"void": '"outcome":"void"', "corrected": '"corrections":["', "jackpot": f'{SHARE_SUFFIX}"'}
"""By outcome, what the JSON of such a round holds."""


def cards_of(text: str) -> tuple[str, ...]:
    """The cards in a text as people type it: "7S 10h q" is 7s, Th and any queen."""
    return tuple(_card(word) for word in text.replace(",", " ").split())


def matches(query: RoundQuery, shown: JsonObject, persons: Iterable[str]) -> bool:
    """Whether a round in which these persons had a word is one of them, whoever dealt it. `said`: its
    RoundView's JSON, of any version."""
    return (
        _outcome(query.outcome, shown)
        and _lines(query, shown["lines"])
        and _has_cards(query.cards, shown)
        and (not query.person or any(query.person.casefold() in person.casefold() for person in persons))
    )


def is_share(pays: str | None) -> bool:
    """Whether a settled wager that paid so won a share of a jackpot."""
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
    hands = (shown["dealer"], *(hand for seat in shown["seats"] for hand in seat["hands"]))
    lying = Counter(card for hand in hands for card in hand["cards"])
    lying.update([card[0] for card in lying.elements()])
    return Counter(cards) <= lying


def _card(word: str) -> str:
    tidy = word.upper().replace("10", "T")
    return f"{tidy[0]}{tidy[1].lower()}" if len(tidy) == 2 else tidy
