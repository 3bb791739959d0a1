"""A small scripted table: what devices would report, as inputs, with their event numbers and counts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from controller.cards import DECK
from controller.table.events import DeviceEvent, DeviceRunning, DeviceUp, Input, Started
from controller.table.rules import Bank, Progressive
from controller.table.state import TableState
from drivers.link.facts import Facts
from drivers.messages import CardDrawn, EventBody, Key, Loaded, Wager
from drivers.protocol.codes import DeviceClass, Reset

DEVICES = {"shoe": "SHOE-1", "sensors": "SENSORS-1", "console": "CONSOLE-1"}
LOG = b"\x01" * 8
BOOT = b"\x02" * 8
KINDS = {"shoe": DeviceClass.SHOE, "sensors": DeviceClass.SENSORS, "console": DeviceClass.CONSOLE,
         "shuffler": DeviceClass.SHUFFLER, "display": DeviceClass.DISPLAY}  # fmt: skip


@dataclass
class Script:
    """Numbers events as devices do."""

    game: str = "easy-jack"
    options: dict[str, object] = field(default_factory=lambda: {"burn_cards": 0})
    devices: dict[str, str] = field(default_factory=lambda: dict(DEVICES))
    seats: int = 7
    bank: Bank = "third party"
    jackpots: dict[str, Progressive] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    cards: int = 0

    def started(self) -> Started:
        return Started(
            "0", self.game, self.seats, self.options, self.devices, self.bank, self.jackpots,
            claims=True,
        )  # fmt: skip

    def up(self, device: str, relation: str = "known", log: bytes = LOG) -> DeviceUp:
        number = self.numbers.get(device, 0)
        facts = Facts(
            KINDS[device], self.devices[device], "h1", "f1", BOOT, Reset.POWER, log, 1, number, number, 0,
            self.cards if device == "shoe" else 0, insecure=True,
        )  # fmt: skip
        return DeviceUp(device, facts, relation)

    def opening(self) -> Iterator[Input]:
        """A start at which all devices come for the first time."""
        yield self.started()
        for name in self.devices:
            yield self.up(name, "new log")
            yield DeviceRunning(name)

    def event(
        self, device: str, body: EventBody | bytes, *, history: bool = False, critical: bool = False
    ) -> DeviceEvent:
        self.numbers[device] = number = self.numbers.get(device, 0) + 1
        return DeviceEvent(device, LOG, number, 1000 * number, BOOT, body, history, critical)

    def loaded(self, decks: int = 8) -> DeviceEvent:
        return self.event("shoe", Loaded(decks))

    def card(self, card: str) -> DeviceEvent:
        self.cards += 1
        return self.event("shoe", CardDrawn(self.cards, card))

    def cards_out(self, text: str) -> Iterator[DeviceEvent]:
        return (self.card(card) for card in text.split())

    def bet(self, seat: int, spot: int = 0, cents: int = 500) -> DeviceEvent:
        return self.event("sensors", Wager(seat, spot, True, cents))

    def take(self, seat: int, spot: int = 0) -> DeviceEvent:
        return self.event("sensors", Wager(seat, spot, False, 0))

    def key(self, action: str, seat: int = 0, cents: int = 0) -> DeviceEvent:
        return self.event("console", Key(action, seat, cents))

    def play(self, state: TableState, seed: int) -> Iterator[Input]:
        """One round as a dealer would deal it: random wagers and cards, keys by what the table allows.

        The caller applies each input to `state` before it asks for the next one.
        """
        chance = Random(seed)
        for seat in sorted(chance.sample(range(1, 8), chance.randint(1, 3))):
            yield self.bet(seat, cents=chance.choice((0, 500, 1500)))
            if chance.random() < 0.5:
                yield self.bet(seat, 1, 200)
        yield self.key("close")
        yield from self._to_its_end(state, chance)

    def play_on(self, state: TableState, seed: int) -> Iterator[Input]:
        """The rest of a round in play."""
        return self._to_its_end(state, Random(seed))

    def _to_its_end(self, state: TableState, chance: Random) -> Iterator[Input]:
        number = state.number
        while state.number == number:
            yield self._next(state, chance)
        for seat, spot in sorted(state.chips):
            yield self.take(seat, spot)

    def _next(self, state: TableState, chance: Random) -> Input:
        seat = state.round.due.seat
        if "stand" in state.round.keys and chance.random() < 0.5:
            return self.key("stand", seat)
        if state.round.cards_due:
            return self.card(chance.choice(DECK))
        return self.key("pay")
