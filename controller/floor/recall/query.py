"""A query for rounds of all tables: the fields of a table's own search, and which tables."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Self

from controller.journal.history import ANY_TIME
from controller.past.recall.query import RoundQuery

AFTER_ALL_TABLES: Final = "~"
"""No name of a table comes after it."""
AFTER_LAST_NUMBER: Final = 1 << 53
CONDITIONS: Final[Mapping[str, str]] = {
    "table": "t = :table",
    "tables": "t IN (SELECT value FROM json_each(:tables))",
    "since": "at >= :since",
    "until": "at < :until",
    "game": "game = :game",
    "number": "number = :number",
    "outcome": "instr(outcome, :outcome)",
    "line": "instr(lines, :line)",
    "over": "won_most > :over",
}
"""By parameter of a query, what a round must meet."""
CARD: Final = "card_"
"""The parameters of cards begin so; after it comes how many of the card must lie there, and the card."""


@dataclass(frozen=True, slots=True, order=True)
class SearchPlace:
    """A place in the order in which rounds of all tables ended. `at`: seconds of Unix time."""

    at: float
    table: str = AFTER_ALL_TABLES
    number: int = AFTER_LAST_NUMBER

    def __str__(self) -> str:
        return f"{self.at!r},{self.table},{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ValueError."""
        try:
            at, table, number = text.split(",")
            return cls(float(at), table, int(number))
        except ValueError:
            raise ValueError(f"before = {text!r}: not allowed; allowed: what the page before gave") from None


NEWEST: Final = SearchPlace(1e12)
ALL_ROUNDS: Final = RoundQuery()


@dataclass(frozen=True, slots=True)
class FloorQuery:
    """A round must match every field; an empty field matches every round. `tables`: the round was played at
    one of them; `game`: the id of a game; `act`: part of what a person did in the round, or its heading, such
    as "decision". `before`: only rounds that come before this place. `rounds`: the query at each table, whose
    own `before` has no effect here."""

    tables: tuple[str, ...] = ()
    game: str = ""
    act: str = ""
    rounds: RoundQuery = ALL_ROUNDS
    before: SearchPlace = NEWEST

    def parameters(self) -> dict[str, object]:
        """The values for those of CONDITIONS that a round has to meet. A round that meets them can still
        differ in what `matches` compares."""
        return dict(self._parameters())

    def conditions(self) -> list[str]:
        """What a round has to meet, in SQL with these parameters."""
        return [
            _cards_condition(name, value) if name.startswith(CARD) else CONDITIONS[name]
            for name, value in self.parameters().items()
        ]

    def _parameters(self) -> Iterator[tuple[str, object]]:
        of = self.rounds
        if len(self.tables) == 1:
            yield "table", self.tables[0]
        elif self.tables:
            yield "tables", json.dumps(self.tables)
        if of.span != ANY_TIME:
            yield from (("since", of.span.since), ("until", of.span.until))
        for name, value in (("game", self.game), ("number", of.number), ("outcome", of.outcome)):
            if value:
                yield name, value
        if of.seat or of.wager:
            seat = f";{of.seat}:" if of.seat else ":"
            yield "line", f"{seat}{of.wager}=" if of.wager else seat
        if of.over is not None:
            yield "over", of.over
        for card, count in Counter(of.cards).items():
            yield f"{CARD}{count}_{card}", card


def _cards_condition(name: str, card: object) -> str:
    """In a list of cards as "Ts7h", no two cards together spell another one: ranks are capitals or digits,
    suits small letters."""
    count = int(name.removeprefix(CARD).partition("_")[0])
    if count == 1:
        return f"instr(cards, :{name})"
    return f"length(cards) - length(replace(cards, :{name}, '')) >= {count * len(str(card))}"


def matches(query: RoundQuery, lines: str) -> bool:
    """Compares what SQL cannot: whether one and the same wager was of the seat, of the kind, and won so
    much."""
    if query.over is None or not (query.seat or query.wager):
        return True
    for line in lines.split(";")[1:]:
        spot, _, paid = line.rpartition("=")
        seat, _, wager = spot.partition(":")
        if (
            query.seat in (0, int(seat))
            and query.wager in ("", wager)
            and paid != "?"
            and int(paid) > query.over
        ):
            return True
    return False
