"""The crew's own record of a round, settled once more, beside what the table showed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

from controller.demo.scene import Scene
from controller.games.game import Game
from controller.round.settle import settle
from controller.table.notes import RoundEnded
from controller.table.view import RoundView
from controller.table.written import UNWRITTEN, RoundScript
from drivers.sim.played import PlayedRound


def disputes(scene: Scene, ended: Sequence[RoundEnded], played: Sequence[PlayedRound]) -> Iterator[str]:
    """A sentence for each thing that the table says otherwise than the crew, or than the crew's record of the
    round is settled; of the last rounds of `ended`, which are those that the crew played."""
    for table, crew in zip_longest(ended[-len(played) :] if played else (), played):
        if table is None or crew is None:
            yield f"the crew played {len(played)} rounds, the table has {len(ended)}"
        else:
            yield from _about(scene, table, crew)


def script(
    game: Game, options: Mapping[str, object], played: PlayedRound, meters: Mapping[str, int]
) -> dict[str, Any]:
    """A round as the crew wrote it down, in the notation of round scripts; `meters`: jackpots as shown."""
    wagers: dict[str, dict[str, int | None]] = {}
    for bet in played.bets:
        wagers.setdefault(str(bet.seat), {})[game.spots[bet.spot]] = bet.cents
    told = {name: value for name, value in options.items() if name not in UNWRITTEN}
    return {
        "game": game.name, "options": told, "wagers": wagers, "meters": dict(meters),
        "script": list(played.script),
    }  # fmt: skip


def _about(scene: Scene, table: RoundEnded, crew: PlayedRound) -> Iterator[str]:
    shown, number = table.round, table.round.number
    if crew.void or shown.outcome == "void":
        if not (crew.void and shown.outcome == "void"):
            yield f"round {number} is void for one of them only"
        return
    written = script(scene.rules, scene.settings, crew, table.script.meters if table.script else {})
    for what, (ours, theirs) in _compared(table, crew, written).items():
        if ours != theirs:
            yield f"round {number}, {what}: the table has {ours}, the crew {theirs}; {json.dumps(written)}"


def _compared(table: RoundEnded, crew: PlayedRound, written: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """What the table says and what the crew says, by what it is about."""
    shown = table.round
    settled = settle(json.dumps(written), table.script.seeds if table.script else {})
    if "error" in settled:
        return {"script": ("settled it", settled["error"])}
    lines, nets = _lines(shown), {str(seat.seat): seat.net for seat in shown.seats if seat.hands}
    names = lines[0].keys() if lines else ()
    return {
        "script": (table.script and _written(table.script), (written["wagers"], written["script"])),
        "hands": (_hands(shown), crew.hands),
        "the dealer's hand": (list(shown.dealer.cards), crew.dealer),
        "settlement": (lines, [{name: line.get(name) for name in names} for line in settled["settlements"]]),
        "net": (nets, settled["net"]),
    }


def _written(script: RoundScript) -> tuple[object, object]:
    return script.wagers, list(script.script)


def _hands(shown: RoundView) -> dict[int, list[list[str]]]:
    return {seat.seat: [list(hand.cards) for hand in seat.hands] for seat in shown.seats if seat.hands}


def _lines(shown: RoundView) -> list[dict[str, object]]:
    return [asdict(line) for line in shown.lines]
