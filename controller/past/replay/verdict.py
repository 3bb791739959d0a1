"""Settle the script of a round again, and compare the result with what the table showed."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from itertools import zip_longest
from typing import Any

from controller.games import open_game, providers
from controller.games.game import Game
from controller.money import sum_cents
from controller.odds.playthrough import stake
from controller.round.script import SCRIPT_ACTIONS
from controller.round.settle import ScriptResult, settle
from controller.table.record.round_script import RoundScript
from controller.table.record.views import LineView, RoundView


def script_json(number: int, script: RoundScript) -> dict[str, Any]:
    """The script as `settle` reads it; its id is the number of the round."""
    meters = {"meters": script.meters} if script.meters else {}
    return {
        "id": number,
        "game": script.game,
        "options": script.options,
        "wagers": script.wagers,
        **meters,
        "script": list(script.script),
    }


def unspecified_seeds(script: RoundScript) -> dict[str, int]:
    """The seeds of jackpots in cents, if the round would be settled differently with the usual ones."""
    line = json.dumps(script_json(0, script))
    return script.seeds if script.seeds and settle(line) != settle(line, script.seeds) else {}


def plugin_changes(script: RoundScript) -> Iterator[str]:
    """A sentence for each plug-in that the round was played with, and that has another version here."""
    here = providers(script.game, script.options)
    for name, played in script.plugins.items():
        if (now := here.get(name, "")) != played:
            installed = f"it is of {now}" if now else "it is missing"
            yield f"The round was played with {name} of {played}; here {installed}."


def unknown_amounts(script: RoundScript) -> tuple[str, ...]:
    """The tokens of wagers in a window whose amount is unknown; `settle` refuses those."""
    words = {token: token.partition(":")[2] for token in script.script}
    if SCRIPT_ACTIONS.issuperset(filter(None, words.values())):
        return ()  # as nearly all are: to open a game takes as long as to settle a hand
    try:
        game = open_game(script.game, script.options)
    except ValueError:
        return ()
    return tuple(token for token in script.script if words[token] in game.spots)


def settle_again(shown: RoundView, script: RoundScript) -> ScriptResult:
    """The answer of `settle`. Amounts that the table did not know are unknown in it, too."""
    line, nameless = script_json(shown.number, script), unknown_amounts(script)
    if not nameless:
        return settle(json.dumps(line), script.seeds, script.linked)
    game = open_game(script.game, script.options)
    tokens = [_with_amount(game, token) if token in nameless else token for token in script.script]
    answer = settle(json.dumps({**line, "script": tokens}), script.seeds, script.linked)
    return answer if "error" in answer else _without_unknown(answer, shown)


def line_name(line: Mapping[str, Any]) -> str:
    """Seat, hand and wager of a settlement line."""
    return f"seat {line['seat']}, hand {line['hand']}, {line['wager']}"


def _with_amount(game: Game, token: str) -> str:
    """The token with an allowed amount."""
    return f"{token}={stake(game, token.partition(':')[2])}"


def _without_unknown(answer: ScriptResult, shown: RoundView) -> ScriptResult:
    nameless = {line_name(asdict(line)) for line in shown.lines if line.amount is None}
    lines = [_without_amount(line) if line_name(line) in nameless else line for line in answer["settlements"]]
    return {**answer, "settlements": lines, "net": {seat: _net(seat, lines) for seat in answer["net"]}}


def _without_amount(line: Mapping[str, Any]) -> dict[str, Any]:
    return {**line, "amount": None, "paid": 0 if line["outcome"] == "push" else None}


def _net(seat: str, lines: list[dict[str, Any]]) -> int | None:
    return sum_cents(line["paid"] for line in lines if str(line["seat"]) == seat)


LINE = tuple(field.name for field in fields(LineView))
"""`asdict` would copy each line, which has nothing to copy."""
COMPARED = ("amount", "outcome", "pays", "paid")
"""The compared fields of a settlement line. Wordings may differ between versions."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`answer`: what `settle` says about the script, None if there is no script. `differs`: what differs at
    the table, a sentence each."""

    answer: ScriptResult | None
    differs: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        return not self.differs


def judge(shown: RoundView, script: RoundScript) -> Verdict:
    """Compare what the table showed with the rules. A void round must give every wager back, and pay
    nothing."""
    answer = settle_again(shown, script)
    differs = _not_returned(shown, script) if shown.outcome == "void" else _differs(shown, answer)
    return Verdict(answer, tuple(differs))


def as_shown(shown: RoundView) -> dict[str, Any]:
    """What the table showed, in the form of an answer of `settle`."""
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


def _differs(shown: RoundView, answer: ScriptResult) -> Iterator[str]:
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


def _comparable(what: str, answer: ScriptResult) -> dict[str, Any]:
    found = dict(json.loads(json.dumps(answer[what])))
    found.pop("bust", None)
    return found


def _lines(table: list[dict[str, Any]], rules: list[dict[str, Any]]) -> Iterator[str]:
    for ours, theirs in zip_longest(table, rules):
        if ours is None or theirs is None:
            who = "the rules have" if ours is None else "the table has"
            yield f"{line_name(ours or theirs)}: only {who} it"
        elif line_name(ours) != line_name(theirs):
            yield f"the table has {line_name(ours)} where the rules have {line_name(theirs)}"
        else:
            for what in COMPARED:
                if ours[what] != theirs[what]:
                    yield f"{line_name(ours)}: {what} {ours[what]} at the table, {theirs[what]} by the rules"


def _not_returned(shown: RoundView, script: RoundScript) -> Iterator[str]:
    """The wagers that a void round did not give back."""
    for line in shown.lines:
        if line.outcome != "push" or line.paid != 0:
            name = line_name(asdict(line))
            yield f"{name}: {line.outcome}, paid {line.paid}, in a void round; allowed: push, 0"
    for seat in script.wagers.keys() - {str(line.seat) for line in shown.lines}:
        yield f"seat {seat}: no settlement of its wagers, in a void round; allowed: a push of each"
