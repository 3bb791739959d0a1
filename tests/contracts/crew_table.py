"""Rounds played by a crew; the devices are queues in both directions."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from controller.cards import DECK, card
from controller.demo.crew.device_requests import DeviceRequest
from controller.demo.crew.play import CrewMachine
from controller.demo.crew.playbook import playbook
from controller.games import open_game
from controller.round import CardOut, Event, EventRefused, Jackpot, Key, Round, Wager, WagerAlert
from controller.round.settle import round_result
from drivers.protocol.codes import LAMPS, SPOTS_PER_SEAT, Lamp

JACKPOTS = {"blazing-7s": 1_234_567}
BEFORE_CARDS = frozenset({"burning", "dealing"})
SEED = 3


@dataclass
class CrewTable:
    """`chance` decides who acts next."""

    game: str
    chance: Random
    options: Mapping[str, Any] = field(default_factory=dict)
    burn: int = 1
    settled: list[dict[str, Any]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Refusals and alerts."""
    count: int = 0
    up_to: int = 0
    number: int = 0
    prompt: tuple[str, int] = ("", 0)
    lamps: tuple[int, ...] = ()
    asked: DeviceRequest | None = None

    def __post_init__(self) -> None:
        self.rules = open_game(self.game, self.options)
        self.play = CrewMachine(playbook(self.rules), SEED)
        self.cards = Random(7).sample(DECK * 100, 52 * 100)
        self.chips: dict[tuple[int, int], int | None] = {}
        self.to_table: dict[str, deque[Event]] = {name: deque() for name in ("shoe", "sensors", "console")}
        self.to_crew: dict[str, deque[dict[str, Any]]] = {name: deque() for name in self.to_table}
        self.round = Round(self.rules, burn=self.burn)
        self.show()

    @property
    def meters(self) -> dict[str, int]:
        """The jackpots in a script of this table."""
        return {spot: JACKPOTS[spot] for spot in self.rules.meters}

    def step(self) -> bool:
        """One thing happens somewhere; False when nothing is left to happen."""
        moves = [self._heed] * any(self.to_table.values()) + [self._report] * any(self.to_crew.values())
        if (ask := self.play.next()) is not None:
            self.asked = ask
            moves.append(self._do)
        if moves:
            self.chance.choice(moves)()
        return bool(moves)

    def restart(self) -> None:
        """The daemon is killed: prompts, lamps and permits vanish, all queues to it are read, and they come
        back."""
        self._blank()
        while any(self.to_crew.values()):
            self._report()
        while any(self.to_table.values()):
            self._heed()
        self.show()

    def relieve(self) -> None:
        """Another crew takes over and sees what there is to see."""
        self.play = CrewMachine(playbook(self.rules), SEED)
        self.asked = None
        for notices in self.to_crew.values():
            notices.clear()
        self.to_crew["shoe"].append({"notice": "shoe", "count": self.count, "out": []})
        self._permit(self.up_to)
        self._prompt(*self.prompt)
        self._keys(*sorted(self.round.keys))
        self.to_crew["sensors"].append({"notice": "lamps", "lamps": list(self.lamps), "safe": False})

    def show(self) -> None:
        """Has the devices show what the table wants."""
        due, known = self.round.due, self.count - self._cards_told
        self._permit(known + self.round.cards_due if self.round.cards_due else 0)
        if (due.text, due.seat) != self.prompt:
            self._prompt(due.text, due.seat)
        self._keys(*sorted(self.round.keys))
        self._light(self._lamps())

    @property
    def _cards_told(self) -> int:
        return sum(isinstance(event, CardOut) for event in self.to_table["shoe"])

    def _lamps(self) -> tuple[int, ...]:
        lit = [Lamp.NO_BETS] * LAMPS
        for seat, spots in self.round.invited.items():
            for spot in spots:
                lit[SPOTS_PER_SEAT * (seat - 1) + self.rules.spots.index(spot)] = Lamp.OPEN
        return tuple(lit)

    def _light(self, lamps: tuple[int, ...]) -> None:
        if lamps != self.lamps:
            self.lamps = lamps
            self.to_crew["sensors"].append({"notice": "lamps", "lamps": list(lamps), "safe": False})

    def _prompt(self, text: str, seat: int = 0) -> None:
        self.prompt = (text, seat)
        self.number += 1
        self.to_crew["console"].append({"notice": "prompt", "text": text, "number": self.number})

    def _keys(self, *keys: str) -> None:
        self.to_crew["console"].append({"notice": "keys", "keys": list(keys)})

    def _permit(self, up_to: int) -> None:
        self.up_to = up_to
        self.to_crew["shoe"].append({"notice": "permit", "up_to": up_to})

    def _blank(self) -> None:
        self._prompt("")
        self._keys()
        self._light((Lamp.NO_BETS,) * LAMPS)
        self._permit(0)

    def _heed(self) -> None:
        device = self.chance.choice([name for name, queue in self.to_table.items() if queue])
        self._handle(self.to_table[device].popleft())
        if self.round.phase in BEFORE_CARDS:
            for jackpot in self.round.unknown_jackpots:
                self._handle(Jackpot(jackpot, JACKPOTS[jackpot]))
        if self.round.phase == "over":
            self.settled.append(round_result(self.round))
            self.round = Round(self.rules)
            for (seat, spot), cents in self.chips.items():
                self.round.handle(Wager(seat, self.rules.spots[spot], True, cents))
        self.show()

    def _handle(self, event: Event) -> None:
        if isinstance(event, Wager):
            self._see(event)
        try:
            commands = self.round.handle(event)
            self.wrong += [command.text for command in commands if isinstance(command, WagerAlert)]
        except EventRefused as refused:
            self.wrong.append(refused.reason)

    def _see(self, wager: Wager) -> None:
        place = wager.seat, self.rules.spots.index(wager.spot)
        self.chips.pop(place, None)
        if wager.present:
            self.chips[place] = wager.cents

    def _report(self) -> None:
        device = self.chance.choice([name for name, queue in self.to_crew.items() if queue])
        self.play.notice(self.to_crew[device].popleft())

    def _do(self) -> None:
        assert self.asked is not None
        ask, request = self.asked, self.asked.request
        self.play.sent(ask)
        if getattr(self, f"_{request['do']}")(request):
            self.play.completed(ask, {"ok": True})
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
        self.to_table["console"].append(Key(request["action"], request["seat"], request.get("cents")))
        return True

    def _put(self, request: Mapping[str, Any]) -> bool:
        name = self.rules.spots[request["spot"]]
        self.to_table["sensors"].append(Wager(request["seat"], name, True, request["cents"]))
        return True

    def _clear(self, _request: Mapping[str, Any]) -> bool:
        seen = dict(self.chips)
        for wager in self.to_table["sensors"]:
            assert isinstance(wager, Wager)
            seen[wager.seat, self.rules.spots.index(wager.spot)] = wager.cents
        gone = (Wager(seat, self.rules.spots[spot], False) for seat, spot in sorted(seen))
        self.to_table["sensors"].extend(gone)
        return True
