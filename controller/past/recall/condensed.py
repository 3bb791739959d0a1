"""A round as a few short texts: SQL compares them with a query much faster than Python reads its JSON."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from controller.past.recall.query import JsonObject, RoundQuery, hands_of, is_share

CONDITIONS: Final[Mapping[str, str]] = {
    "outcome": "instr(outcome, :outcome)",
    "line": "instr(lines, :line)",
    "over": "won_most > :over",
}
"""By parameter of a query, what a round must meet."""
CARD: Final = "card_"
"""The parameters of cards begin so; after it comes how many of the card must lie there, and the card."""


class CondensedRound(NamedTuple):
    """`outcome`: words, as "settled jackpot corrected". `won_most`: the most cents that one wager won.
    `cards`: all on the table, as "Ts7h". `lines`: each seat with a kind of wager that was settled, as
    ";3:main="."""

    outcome: str
    won_most: int
    cards: str
    lines: str


def condense(shown: JsonObject) -> CondensedRound:
    """`shown`: the JSON of a RoundView, of any version."""
    lines = shown["lines"]
    paid = [line["paid"] for line in lines if line["paid"] is not None]
    return CondensedRound(
        outcome=outcome_words(
            shown["outcome"],
            bust=shown["dealer"]["label"] == "bust",
            jackpot=any(is_share(line["pays"]) for line in lines),
            corrected=bool(shown.get("corrections")),
        ),
        won_most=max(0, *paid, 0),
        cards="".join(card for hand in hands_of(shown) for card in hand["cards"]),
        lines="".join(dict.fromkeys(line_text(line["seat"], line["wager"]) for line in lines)),
    )


def outcome_words(outcome: str, *, bust: bool, jackpot: bool, corrected: bool) -> str:
    """All of OUTCOMES that a round had."""
    return outcome + " bust" * bust + " jackpot" * jackpot + " corrected" * corrected


def line_text(seat: int, wager: str, paid: str = "") -> str:
    """A settled wager as ";seat:wager=paid"."""
    return f";{seat}:{wager}={paid}"


def parameters(query: RoundQuery) -> Iterator[tuple[str, object]]:
    """The values for the conditions on a condensed round, apart from what a wager won. A round that meets
    them can still differ from the query in details."""
    if query.outcome:
        yield "outcome", query.outcome
    if query.seat or query.wager:
        seat = f";{query.seat}:" if query.seat else ":"
        yield "line", f"{seat}{query.wager}=" if query.wager else seat
    for card, count in Counter(query.cards).items():
        yield f"{CARD}{count}_{card}", card


def condition(name: str) -> str:
    """What a round has to meet, in SQL with this parameter.

    In a list of cards as "Ts7h", no two cards together spell another one: ranks are capitals or digits,
    suits small letters.
    """
    if not name.startswith(CARD):
        return CONDITIONS[name]
    count, _, card = name.removeprefix(CARD).partition("_")
    if count == "1":
        return f"instr(cards, :{name})"
    return f"length(cards) - length(replace(cards, :{name}, '')) >= {int(count) * len(card)}"
