"""What the table showed of a round, beside what the rules make of its script."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from itertools import zip_longest
from typing import Any

from controller.replay.resettled import name, resettled
from controller.round.settle import Answer
from controller.table.view import LineView, RoundView
from controller.table.written import RoundScript

LINE = tuple(field.name for field in fields(LineView))
"""A line has nothing in it that asdict would have to copy."""
COMPARED = ("amount", "outcome", "pays", "paid")
"""Of a settlement line, beside its name; wordings may be another version's."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules make of a round: their answer to its script, None where there is none, and what the
    table had otherwise, a sentence each."""

    answer: Answer | None
    differs: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the table settled as the rules do."""
        return not self.differs


def judge(shown: RoundView, script: RoundScript) -> Verdict:
    """The verdict on a round that the table showed so; a void round gives every wager back, and no more."""
    answer = resettled(shown, script)
    differs = _kept_back(shown, script) if shown.outcome == "void" else _differs(shown, answer)
    return Verdict(answer, tuple(differs))


def as_shown(shown: RoundView) -> dict[str, Any]:
    """What the table showed, in the notation's words."""
    active = [seat for seat in shown.seats if seat.hands]
    hands = {
        str(seat.seat): {"hands": [{"cards": list(hand.cards), "total": hand.total} for hand in seat.hands]}
        for seat in active
    }
    return {
        "dealer": {"cards": list(shown.dealer.cards), "total": shown.dealer.total},
        "seats": hands,
        "settlements": [{column: getattr(line, column) for column in LINE} for line in shown.lines],
        "net": {str(seat.seat): seat.net for seat in active},
        "jackpots": {jackpot.spot: jackpot.cents for jackpot in shown.jackpots},
        "bank": shown.bank,
    }


def _differs(shown: RoundView, answer: Answer) -> Iterator[str]:
    if "error" in answer:
        error = answer["error"]
        at = "" if error["at"] is None else f" at {error['at']} {error['token'] or ''}".rstrip()
        yield f"the rules refuse its script{at}: {error['reason']}"
        return
    table = as_shown(shown)
    for what in ("dealer", "seats", "net"):
        ours, theirs = table[what], _comparable(what, answer)
        if ours != theirs:
            yield f"{what}: the table has {json.dumps(ours)}, the rules {json.dumps(theirs)}"
    yield from _lines(table["settlements"], answer["settlements"])


def _comparable(what: str, answer: Answer) -> dict[str, Any]:
    found = dict(json.loads(json.dumps(answer[what])))
    found.pop("bust", None)
    return found


def _lines(table: list[dict[str, Any]], rules: list[dict[str, Any]]) -> Iterator[str]:
    for ours, theirs in zip_longest(table, rules):
        if ours is None or theirs is None:
            who = "the rules have" if ours is None else "the table has"
            yield f"{name(ours or theirs)}: only {who} it"
        elif name(ours) != name(theirs):
            yield f"the table has {name(ours)} where the rules have {name(theirs)}"
        else:
            for what in COMPARED:
                if ours[what] != theirs[what]:
                    yield f"{name(ours)}: {what} {ours[what]} at the table, {theirs[what]} by the rules"


def _kept_back(shown: RoundView, script: RoundScript) -> Iterator[str]:
    """What a void round did not give back."""
    for line in shown.lines:
        if line.outcome != "push" or line.paid != 0:
            yield f"{name(asdict(line))}: {line.outcome}, paid {line.paid}, in a void round; allowed: push, 0"
    for seat in script.wagers.keys() - {str(line.seat) for line in shown.lines}:
        yield f"seat {seat}: no settlement of its wagers, in a void round; allowed: a push of each"
