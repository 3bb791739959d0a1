"""A round's script, settled once more by the code that runs the table."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from controller.games import open_game
from controller.games.game import Game
from controller.money import sum_cents
from controller.odds.playthrough import stake
from controller.round.script import ACTIONS
from controller.round.settle import Answer, settle
from controller.table.view import RoundView
from controller.table.written import RoundScript


def as_written(number: int, script: RoundScript) -> dict[str, Any]:
    """One round script; its id is the round's number."""
    meters = {"meters": script.meters} if script.meters else {}
    return {
        "id": number, "game": script.game, "options": script.options, "wagers": script.wagers, **meters,
        "script": list(script.script),
    }  # fmt: skip


def unsaid_seeds(script: RoundScript) -> dict[str, int]:
    """Seeds of jackpots in cents, where with the usual ones the round would have been settled otherwise."""
    line = json.dumps(as_written(0, script))
    return script.seeds if script.seeds and settle(line) != settle(line, script.seeds) else {}


def unknown(script: RoundScript) -> tuple[str, ...]:
    """The tokens of wagers in a window whose amount nobody knows: `settle` does not take them."""
    words = {token: token.partition(":")[2] for token in script.script}
    if ACTIONS.issuperset(filter(None, words.values())):
        return ()  # as nearly all are: to open a game takes as long as to settle a hand
    try:
        game = open_game(script.game, script.options)
    except ValueError:
        return ()
    return tuple(token for token in script.script if words[token] in game.spots)


def resettled(shown: RoundView, script: RoundScript) -> Answer:
    """What `settle` answers; where the table did not know an amount, the answer does not either."""
    written, nameless = as_written(shown.number, script), unknown(script)
    if not nameless:
        return settle(json.dumps(written), script.seeds)
    game = open_game(script.game, script.options)
    tokens = [_standing_in(game, token) if token in nameless else token for token in script.script]
    answer = settle(json.dumps({**written, "script": tokens}), script.seeds)
    return answer if "error" in answer else _forgotten(answer, shown)


def name(line: Mapping[str, Any]) -> str:
    """Seat, hand and wager of a settlement line."""
    return f"seat {line['seat']}, hand {line['hand']}, {line['wager']}"


def _standing_in(game: Game, token: str) -> str:
    """With an amount that is allowed."""
    return f"{token}={stake(game, token.partition(':')[2])}"


def _forgotten(answer: Answer, shown: RoundView) -> Answer:
    """Without the amounts that the table did not know."""
    nameless = {name(asdict(line)) for line in shown.lines if line.amount is None}
    lines = [_nameless(line) if name(line) in nameless else line for line in answer["settlements"]]
    return {**answer, "settlements": lines, "net": {seat: _net(seat, lines) for seat in answer["net"]}}


def _nameless(line: Mapping[str, Any]) -> dict[str, Any]:
    return {**line, "amount": None, "paid": 0 if line["outcome"] == "push" else None}


def _net(seat: str, lines: list[dict[str, Any]]) -> int | None:
    return sum_cents(line["paid"] for line in lines if str(line["seat"]) == seat)
