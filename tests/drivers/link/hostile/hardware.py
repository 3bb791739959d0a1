"""A device whose power may fail at any step, and what really happened in it."""

from random import Random

from drivers.messages import ACTIONS, CardDrawn, CommandBody, EventBody
from drivers.protocol.codes import DeviceClass, Reset, Status
from drivers.sim.link.device import BodyVitals, DeviceIdentity, DeviceLink
from drivers.sim.link.memory import Memory
from drivers.sim.link.randomness import DeviceRandom, Provisioning

DECK = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"]


class PowerLostError(Exception):
    """The power failed in the middle of an action."""


class Witness(Memory):
    """A memory; `stored` is everything ever stored that is in no journal yet: payload, and whether it was
    kept."""

    def __init__(self, capacity: int) -> None:
        self.stored: dict[int, tuple[bytes, bool]] = {}
        super().__init__(capacity)

    def store(self, payload: bytes, *, minor: bool, critical: bool = False) -> int:
        number = super().store(payload, minor=minor, critical=critical)
        self.stored[number] = payload, number in self._ring
        return number


class Hardware:
    """Boots on its memory as often as it must. `executed`: all actions that moved something."""

    def __init__(
        self, device_class: DeviceClass, random: Random, now: float, *, key: bytes, capacity: int
    ) -> None:
        self.identity = DeviceIdentity(device_class, "SH-1")
        self.memory = Witness(capacity)
        self.executed: set[CommandBody] = set()
        self.power_goes = 0.0
        """The chance that an action is the last thing it does."""
        self._random = random
        self._provisioning = Provisioning(key, random.randbytes(32))
        self.boot(now)

    def boot(self, now: float) -> None:
        """The power returns."""
        self.link = DeviceLink(
            self.identity,
            self.memory,
            self,
            random=DeviceRandom(self._provisioning, self._random.randbytes),
            reset=Reset.POWER,
            now=now,
        )

    def event(self, body: EventBody, now: float) -> None:
        self.link.record(body, now)

    def card_begins(self) -> None:
        """A permitted card begins to move."""
        self.memory.begin_card()

    def card_ends(self, now: float) -> None:
        """The card that moved is out."""
        with self.memory.transaction():
            count = self.memory.end_card()
            self.link.record(CardDrawn(count, DECK[count % 52]), now)

    def command(self, record: CommandBody, _now: float) -> tuple[Status, str]:
        if not isinstance(record, ACTIONS):
            return Status.DONE, ""
        if self._random.random() < self.power_goes / 2:
            raise PowerLostError
        assert record not in self.executed, f"{record} is executed again"
        self.executed.add(record)
        if self._random.random() < self.power_goes / 2:
            raise PowerLostError
        return Status.DONE, ""

    def arm(self, _now: float) -> None:
        """There is no safe state to leave."""

    def safe(self, _now: float) -> None:
        """There is nothing to show."""

    def vitals(self) -> BodyVitals:
        return BodyVitals()
