"""From the bytes of a card on the shoe's pty to the bytes of the lamps that it changes on the sensors' pty.

The daemon is the real one, in its own process and on real ptys. Nothing else happens while a card is timed.
"""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import cast

from benchmarks.stand_ins import StandIn, serve
from benchmarks.yardstick import Yardstick
from controller.cards import DECK
from controller.demo.audit import CountedCard
from controller.demo.settings import DemoSettings
from controller.demo.table import KINDS, DemoTable, configuration
from drivers.key_files import make_key, store_key
from drivers.messages import CardDrawn, EventBody, Key, KeyLamps, Lamps, Loaded, Prompt, Wager
from drivers.protocol.codes import KEYS

SAMPLES = 400
WAGERS = ((1, 0, 1000), (3, 0, 2500), (3, 1, 500), (5, 0, 500))
"""Seat, spot and cents: about what the crew of the demonstration wagers."""
DECKS = 8
LEAST_CARDS = 40
"""With fewer cards left in the shoe a new one is loaded."""
PAUSE = 0.005
"""Seconds after each event, in which the daemon does what can wait."""


async def card_to_lamp(
    folder: Path, yardstick: Yardstick, *, processor: list[float] | None = None
) -> list[float]:
    """Returns the seconds of each of SAMPLES cards. Takes both yardsticks after each card. `processor`
    collects the seconds for which each card kept the daemon's own thread busy until its lamps came."""
    stage = staged(folder)
    with contextlib.closing(Dealer(stage)) as dealer:
        await stage.start_daemon()
        try:
            assert stage.daemon is not None
            dealer.open(stage.daemon.pid)
            while len(dealer.times) < SAMPLES:
                dealer.play(yardstick)
        finally:
            await stage.stop_daemon()
    if processor is not None:
        processor += dealer.processor
    return dealer.times


def staged(folder: Path) -> DemoTable:
    """Configures a table in this folder. Its devices are those of this benchmark."""
    stage = DemoTable(folder, DemoSettings(decks=DECKS))
    configure(stage)
    return stage


def configure(stage: DemoTable) -> None:
    stage.config.write_text(configuration(stage))
    store_key(make_key(), stage.folder / "keys" / "journal.seal")


class Dealer:
    """Deals and pays at a daemon's table and times each card that changes lamps."""

    def __init__(self, stage: DemoTable) -> None:
        self.times: list[float] = []
        self.processor: list[float] = []
        self.rounds = 0
        self.dealt: list[CountedCard] = []
        self._busy = Path()
        self._random = Random(7)
        self._cards: list[str] = []
        self._devices = {kind: _sealed(stage, kind) for kind in KINDS}
        self._shoe, self._sensors = self._devices["shoe"], self._devices["sensors"]
        self._console = self._devices["console"]

    def open(self, daemon: int) -> None:
        """Waits for the daemon with this process number, loads the shoe and places chips."""
        self._busy = Path(f"/proc/{daemon}/schedstat")
        self._serve(lambda: all(device.link.armed for device in self._devices.values()))
        self._load()
        for seat, spot, cents in WAGERS:
            self._report(self._sensors, Wager(seat, spot, True, cents))

    def play(self, yardstick: Yardstick) -> None:
        """Plays one round."""
        if len(self._cards) < LEAST_CARDS:
            self._load()
        self._press("close")
        while "pay" not in self._await_what_is_due():
            if "stand" in self._keys() and self._random.random() < 0.5:
                self._press("stand", self._seat())
            elif not self._shoe.link.permitted:
                self._rest()
            elif self._deal():
                yardstick.measure()
        self._press("pay")
        self.rounds += 1

    def serve_until(self, done: Callable[[], bool], patience: float) -> None:
        """Serves the devices while nothing is played. Raises TimeoutError after `patience` seconds."""
        serve([*self._devices.values()], done, patience)

    def close(self) -> None:
        """Unplugs all devices."""
        for device in self._devices.values():
            device.port.unplug()

    def _load(self) -> None:
        self._cards = [*DECK] * DECKS
        self._random.shuffle(self._cards)
        self._report(self._shoe, Loaded(DECKS))

    def _deal(self) -> bool:
        """Deals a card. Returns whether it changed lamps."""
        before, memory = self._lamps(), self._shoe.memory
        memory.begin_card()
        busy = self._busy_seconds()
        drawn = CardDrawn(memory.end_card(), self._cards.pop())
        self.dealt.append((drawn.count, drawn.card))
        dealt = self._shoe.report(drawn)
        serve([self._sensors, self._shoe], lambda: self._lamps() != before or self._shoe.committed)
        self._rest(until=lambda: self._lamps() != before)  # two ptys keep no order between them
        busy = self._busy_seconds() - busy
        changed = self._lamps() != before
        if changed:
            self.times.append(self._sensors.listened - dealt)
            self.processor.append(busy)
        self._rest()
        return changed

    def _busy_seconds(self) -> float:
        """The processor time of the daemon's main thread."""
        return int(self._busy.read_text("ascii").split()[0]) / 1e9

    def _await_what_is_due(self) -> list[str]:
        """Waits until a card may leave or a key is legal. Returns the legal keys."""
        self._serve(lambda: bool(self._shoe.link.permitted or self._keys()))
        return self._keys()

    def _press(self, action: str, seat: int = 0) -> None:
        self._serve(lambda: action in self._keys())
        self._report(self._console, Key(action, seat, 0))

    def _report(self, device: StandIn, event: EventBody) -> None:
        device.report(event)
        self._serve(lambda: device.committed)
        self._rest()

    def _rest(self, until: Callable[[], bool] = lambda: False) -> None:
        awake = time.monotonic() + PAUSE
        self._serve(lambda: until() or time.monotonic() >= awake)

    def _serve(self, until: Callable[[], bool]) -> None:
        serve([*self._devices.values()], until)

    def _keys(self) -> list[str]:
        record = self._console.received.get(KeyLamps)
        mask = cast("KeyLamps", record).mask if record else 0
        return [key for bit, key in enumerate(KEYS) if mask >> bit & 1]

    def _seat(self) -> int:
        return cast("Prompt", self._console.received[Prompt]).seat

    def _lamps(self) -> bytes:
        record = self._sensors.received.get(Lamps)
        return cast("Lamps", record).lamps if record else b""


def _sealed(stage: DemoTable, kind: str) -> StandIn:
    key = make_key()
    store_key(key, stage.key(kind))
    return StandIn(kind, stage.port(kind), key)
