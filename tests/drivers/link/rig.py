"""A real DeviceLink with a minimal body, for link pairs and for wires."""

import random
from dataclasses import dataclass, field
from typing import Any

from drivers.link.facts import SIMULATOR_HARDWARE
from drivers.messages import CardDrawn, CommandBody, EventBody, Lock, Permit
from drivers.protocol.codes import DeviceClass, Reset, Status
from drivers.sim.link.device import BodyVitals, DeviceIdentity, DeviceLink
from drivers.sim.link.memory import Memory
from drivers.sim.link.randomness import DeviceRandom, Provisioning

KEY = bytes(range(32))


@dataclass
class TinyBody:
    """Records its commands; `answer` is its result for everything."""

    done: list[CommandBody] = field(default_factory=list)
    answer: tuple[Status, str] = (Status.DONE, "")
    armed: bool = False
    wanted: dict[type, CommandBody] = field(default_factory=dict)

    def command(self, record: CommandBody, _now: float) -> tuple[Status, str]:
        self.done.append(record)
        self.wanted[Permit if isinstance(record, Lock) else type(record)] = record
        return self.answer

    def arm(self, _now: float) -> None:
        self.armed = True

    def safe(self, _now: float) -> None:
        self.armed = False
        self.wanted.clear()

    def vitals(self) -> BodyVitals:
        return BodyVitals()


class Rig:
    """A device that boots, loses power and boots again on the same memory."""

    def __init__(
        self,
        now: float,
        device_class: DeviceClass = DeviceClass.SHOE,
        serial: str = "SH-1",
        *,
        seed: int = 0,
        capacity: int = 1024,
        key: bytes = KEY,
        hardware: str = SIMULATOR_HARDWARE,
    ) -> None:
        self.key = key
        self.identity = DeviceIdentity(device_class, serial, hardware)
        self.random = random.Random(seed)
        self.memory = Memory(capacity)
        self.provisioning = Provisioning(key, self.random.randbytes(32))
        self.body = TinyBody()
        self.on = True
        self.cards: list[str] = []
        """The cards that left the shoe, in order."""
        self.boot(now)

    def boot(self, now: float, reset: Reset = Reset.POWER) -> None:
        self.body = TinyBody()
        self.link = DeviceLink(
            self.identity,
            self.memory,
            self.body,
            random=DeviceRandom(self.provisioning, self.random.randbytes),
            reset=reset,
            now=now,
        )

    def event(self, body: EventBody, now: float) -> int:
        return self.link.record(body, now)

    def draw(self, card: str, now: float) -> None:
        """A card leaves, noted before it moves and counted together with its event."""
        self.memory.begin_card()
        with self.memory.transaction():
            self.link.record(CardDrawn(self.memory.end_card(), card), now)
        self.cards.append(card)

    def feed(self, data: bytes, now: float) -> list[Any]:
        self.link.feed(data, now)
        return []

    def tick(self, now: float) -> list[Any]:
        self.link.tick(now)
        return []

    def take(self, now: float) -> bytes:
        return self.link.take(now)

    def deadline(self, now: float) -> float:
        return self.link.deadline(now)


class CrumblingRig(Rig):
    """Bytes reach it one by one."""

    def feed(self, data: bytes, now: float) -> list[Any]:
        for place in range(len(data)):
            self.link.feed(data[place : place + 1], now)
        return []
