"""A query for rounds of all tables: the fields of a table's own search, and which tables."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Self

from controller.currency import MINOR_DIGITS
from controller.journal.history import ANY_TIME
from controller.past.recall import condensed
from controller.past.recall.query import RoundQuery

AFTER_ALL_TABLES: Final = "~"
"""No name of a table comes after it."""
AFTER_LAST_NUMBER: Final = 1 << 53
_CODES: Final = {
    digits: ", ".join(f"'{code}'" for code, its_digits in MINOR_DIGITS.items() if its_digits == digits)
    for digits in (0, 3)
}
"""The currencies without hundredths, by the digits after the decimal point, in SQL."""
MOST_DIGITS: Final = 3
"""No currency has more digits after the decimal point."""
CONDITIONS: Final[Mapping[str, str]] = {
    "table": "t = :table",
    "tables": "t IN (SELECT value FROM json_each(:tables))",
    "since": "at >= :since",
    "until": "at < :until",
    "game": "game = :game",
    "number": "number = :number",
    "currency": "currency = :currency",
    "over_2": "won_most > CASE "
    + " ".join(f"WHEN currency IN ({_CODES[digits]}) THEN :over_{digits}" for digits in (0, 3))
    + " ELSE :over_2 END",
}
"""By parameter of a query, what a round must meet besides the conditions on a condensed round."""
FURTHER: Final = frozenset({"over_0", "over_3"})
"""Parameters of the condition of another one."""


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
    own `before` has no effect here, and whose `over` is in the minor units of each round. `above`: one wager
    won more than this, in thousandths of a whole unit of the round's currency; it replaces `over`.
    `currency`: the code of the currency of the round."""

    tables: tuple[str, ...] = ()
    game: str = ""
    act: str = ""
    rounds: RoundQuery = ALL_ROUNDS
    before: SearchPlace = NEWEST
    above: int | None = None
    currency: str = ""

    def over(self, digits: int) -> int | None:
        """What one wager won more than, in minor units with so many digits; None for any win."""
        return self.rounds.over if self.above is None else self.above // 10 ** (MOST_DIGITS - digits)

    def parameters(self) -> dict[str, object]:
        """The values for those of CONDITIONS that a round has to meet. A round that meets them can still
        differ in what `matches` compares."""
        return dict(self._parameters())

    def conditions(self) -> list[str]:
        """What a round has to meet, in SQL with these parameters."""
        return [
            CONDITIONS.get(name) or condensed.condition(name)
            for name in self.parameters()
            if name not in FURTHER
        ]

    def _parameters(self) -> Iterator[tuple[str, object]]:
        of = self.rounds
        if len(self.tables) == 1:
            yield "table", self.tables[0]
        elif self.tables:
            yield "tables", json.dumps(self.tables)
        if of.span != ANY_TIME:
            yield from (("since", of.span.since), ("until", of.span.until))
        fields = {"game": self.game, "number": of.number, "currency": self.currency}
        yield from ((name, value) for name, value in fields.items() if value)
        if self.over(MOST_DIGITS) is not None:
            yield from ((f"over_{digits}", self.over(digits)) for digits in (0, 2, 3))
        yield from condensed.parameters(of)


def matches(query: FloorQuery, lines: str, digits: int) -> bool:
    """Compares what SQL cannot: whether one and the same wager was of the seat, of the kind, and won so
    much. `digits`: those after the decimal point in the currency of the round."""
    over, of = query.over(digits), query.rounds
    if over is None or not (of.seat or of.wager):
        return True
    for line in lines.split(";")[1:]:
        spot, _, paid = line.rpartition("=")
        seat, _, wager = spot.partition(":")
        if of.seat in (0, int(seat)) and of.wager in ("", wager) and paid != "?" and int(paid) > over:
            return True
    return False
