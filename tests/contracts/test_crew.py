"""The crew and the round understand each other, in any order in which five devices tell their news."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from controller.cards import DECK, card
from controller.games.easy_jack import EasyJack
from controller.round import CardOut, Event, Key, Refused, Round, Wager
from drivers.sim.play import Ask, Play

ROUNDS = 25
SPOTS = ("main", "dealer-bust")


@dataclass
class Table:
    """Round after round, with its devices' queues both ways; `chance` decides whose turn it is."""

    chance: Random
    play: Play
    burn: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    count: int = 0
    up_to: int = 0
    prompt: tuple[str, int] = ("", 0)
    settled: list[object] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cards = Random(7).sample(DECK * 20, 52 * 20)
        self.to_table: dict[str, deque[Event]] = {name: deque() for name in ("shoe", "sensors", "console")}
        self.to_crew: dict[str, deque[dict[str, Any]]] = {name: deque() for name in self.to_table}
        self.round = Round(EasyJack(self.options), burn=self.burn)
        self.asked: Ask | None = None
        self.show()

    def step(self) -> bool:
        """One thing happens somewhere; False when nothing is left to happen."""
        moves = [self._heed] * any(self.to_table.values()) + [self._tell] * any(self.to_crew.values())
        ask = self.play.next()
        if ask is not None:
            self.asked = ask
            moves.append(self._do)
        if moves:
            self.chance.choice(moves)()
        return bool(moves)

    def restart(self) -> None:
        """The daemon is killed: prompts and permits vanish, all queues to it are read, and they come back."""
        self._blank()
        self._tell_all()
        for _ in iter(lambda: any(self.to_table.values()), False):
            self._heed()
        self.show()

    def show(self) -> None:
        due = self.round.due
        due_cards = self.round.cards_due
        self._permit(self.count_known + due_cards if due_cards else 0)
        if (due.text, due.seat) != self.prompt[:2]:
            self.prompt = (due.text, due.seat)
            self.number = getattr(self, "number", 0) + 1
            self.to_crew["console"].append({"notice": "prompt", "text": due.text, "number": self.number})
        self.to_crew["console"].append({"notice": "keys", "keys": sorted(self.round.keys)})

    @property
    def count_known(self) -> int:
        return self.count - sum(isinstance(event, CardOut) for event in self.to_table["shoe"])

    def _permit(self, up_to: int) -> None:
        self.up_to = up_to
        self.to_crew["shoe"].append({"notice": "permit", "up_to": up_to})

    def _blank(self) -> None:
        self.prompt = ("", 0)
        self.number += 1
        self.to_crew["console"].append({"notice": "prompt", "text": "", "number": self.number})
        self.to_crew["console"].append({"notice": "keys", "keys": []})
        self._permit(0)

    def _heed(self) -> None:
        device = self.chance.choice([name for name, queue in self.to_table.items() if queue])
        try:
            self.round.handle(self.to_table[device].popleft())
        except Refused as refused:
            self.refused.append(refused.reason)
        if self.round.phase == "over":
            self.settled.append((self.round.settlements, self.round.dealer))
            self.round = Round(EasyJack(self.options))
        self.show()

    def _tell(self) -> None:
        device = self.chance.choice([name for name, queue in self.to_crew.items() if queue])
        self.play.notice(self.to_crew[device].popleft())

    def _tell_all(self) -> None:
        for _ in iter(lambda: any(self.to_crew.values()), False):
            self._tell()

    def _do(self) -> None:
        assert self.asked is not None
        ask, request = self.asked, self.asked.request
        self.play.begun(ask)
        if getattr(self, f"_{request['do']}")(request):
            self.play.done(ask, {"ok": True})
        else:
            self.play.refused(ask)

    def _pull(self, request: Mapping[str, Any]) -> bool:
        if request["count"] != self.count + 1 or self.up_to <= self.count:
            return False
        self.count += 1
        drawn = self.cards[self.count - 1]
        self.to_table["shoe"].append(CardOut(card(drawn)))
        self.to_crew["shoe"].append({"notice": "card", "count": self.count, "card": drawn})
        return True

    def _press(self, request: Mapping[str, Any]) -> bool:
        if request["prompt"] != self.number:
            return False
        self.to_table["console"].append(Key(request["action"], request["seat"]))
        return True

    def _put(self, request: Mapping[str, Any]) -> bool:
        wager = Wager(request["seat"], SPOTS[request["spot"]], True, request["cents"])
        self.to_table["sensors"].append(wager)
        return True

    def _clear(self, _request: Mapping[str, Any]) -> bool:
        for seat, held in self.round.seats.items():
            self.to_table["sensors"].extend(Wager(seat, spot, False) for spot in held.wagers)
        return True


def played(seed: int, restarts: float = 0.0, **options: Any) -> Table:
    chance = Random(seed)
    table = Table(chance, Play(seed=3), options=options)
    while len(table.play.rounds) < ROUNDS:
        if chance.random() < restarts:
            table.restart()
        assert table.step(), f"everybody waits: {table.prompt}"
    return table


@pytest.mark.parametrize("options", [{}, {"peek": True}, {"natural": "6:5"}])
def test_a_table_plays_itself_without_a_refusal(options: dict[str, Any]) -> None:
    table = played(1, **options)
    assert len(table.settled) == ROUNDS
    assert table.refused == []
    assert table.play.strays == []
    assert not any(round_.void for round_ in table.play.rounds)


@pytest.mark.parametrize("seed", range(20))
def test_neither_order_nor_restarts_change_what_is_played(seed: int) -> None:
    plain, disturbed = played(0), played(seed, restarts=0.05)
    assert disturbed.settled[:ROUNDS] == plain.settled[:ROUNDS]
    assert disturbed.play.rounds == plain.play.rounds
    assert disturbed.refused == []
