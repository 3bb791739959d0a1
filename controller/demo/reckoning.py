"""The crew's own record of a round, settled once more, beside what the table showed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

from controller.games.game import Game
from controller.round.settle import settle
from controller.table.view import RoundView
from drivers.sim.played import PlayedRound

UNWRITTEN = frozenset({"burn_cards"})
"""What a script of a round without its burned cards must not say."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """Of one table: its game, and the options as they were given."""

    game: Game
    options: Mapping[str, Any]

    def script(self, played: PlayedRound, meters: Mapping[str, int]) -> dict[str, Any]:
        """The round as the crew wrote it down, in the notation of round scripts."""
        wagers: dict[str, dict[str, int | None]] = {}
        for bet in played.bets:
            wagers.setdefault(str(bet.seat), {})[self.game.spots[bet.spot]] = bet.cents
        options = {name: value for name, value in self.options.items() if name not in UNWRITTEN}
        return {
            "id": played.index, "game": self.game.name, "options": options, "wagers": wagers,
            "script": played.script, "meters": dict(meters),
        }  # fmt: skip

    def faults(self, shown: RoundView, played: PlayedRound, meters: Mapping[str, int]) -> Iterator[str]:
        """A sentence for each thing that the table showed and that the crew or its script says otherwise."""
        if played.void or shown.outcome == "void":
            if not (played.void and shown.outcome == "void"):
                yield f"round {shown.number} is void for one of them only"
            return
        script = self.script(played, meters)
        for name, (ours, theirs) in _compared(shown, played, settle(json.dumps(script))).items():
            if ours != theirs:
                yield f"round {shown.number}, {name}: {ours} was shown, not {theirs}; {script}"


def all_faults(
    reckoning: Reckoning, shown: Sequence[RoundView], played: Sequence[PlayedRound]
) -> Iterator[str]:
    """For all rounds that the crew played, the last ones of the table."""
    for one, other in zip_longest(shown[-len(played) :], played):
        if one is None or other is None:
            yield f"{len(played)} rounds were played, the table has {len(shown)}"
        else:
            yield from reckoning.faults(one, other, {})


def _compared(
    shown: RoundView, played: PlayedRound, settled: Mapping[str, Any]
) -> dict[str, tuple[Any, Any]]:
    if "error" in settled:
        return {"script": ("settled", settled["error"])}
    hands = {seat.seat: [list(hand.cards) for hand in seat.hands] for seat in shown.seats if seat.hands}
    lines = [asdict(line) for line in shown.lines]
    settlements = [{name: line.get(name) for name in lines[0]} for line in settled["settlements"]]
    return {
        "the crew's cards": (hands, played.hands),
        "cards": (
            hands,
            {
                int(seat): [list(hand["cards"]) for hand in laid["hands"]]
                for seat, laid in settled["seats"].items()
            },
        ),
        "the dealer's cards": (list(shown.dealer.cards), played.dealer),
        "dealer": (shown.dealer.cards, settled["dealer"]["cards"]),
        "settlement": (lines, settlements),
        "net": ({str(seat.seat): seat.net for seat in shown.seats if seat.hands}, settled["net"]),
    }
