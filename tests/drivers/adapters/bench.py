"""A line and a simulated shoe in virtual time."""

from typing import Any

from drivers.adapters.line import ShoeLine
from drivers.adapters.makes import ADAPTERS
from drivers.adapters.observations import Observation
from drivers.adapters.options import AdapterOptions
from drivers.sim.adapters.unit import PlainUnit
from drivers.sim.cable import Faults
from drivers.sim.cards import DECK
from drivers.sim.kinds import Settings
from drivers.sim.link.memory import Memory
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import Response
from drivers.sim.virtual import VirtualWire

START = 100.0
CARDS = ("8s", "Th", "Ad", "Kc", *DECK)


def unit(make: str, now: float = START, **more: Any) -> PlainUnit:
    """A fresh shoe with CARDS in it."""
    settings = Settings(kind=make, serial="", speed="max", stack=CARDS)
    return PlainUnit(settings, memory=Memory(), surroundings=PhysicalState(), random=bytes, now=now, **more)


class Bench:
    """`open` is the state of the lock that the table wants; `heard` is what the line reported."""

    def __init__(
        self, make: str, options: AdapterOptions | None = None, faults: Faults | None = None
    ) -> None:
        self.unit = unit(make, faults=faults or Faults())
        self.unit.transmit(START)  # the start message is dropped
        self.opener = ADAPTERS[make].opener(options or AdapterOptions())
        self.open = False
        self.heard: list[Observation] = []
        self.wire = VirtualWire[Observation](
            self.unit, None, lambda heard, _now: self.heard.append(heard), START
        )
        self.line = self.connect()

    def connect(self) -> ShoeLine:
        """A new conversation."""
        self.line = self.wire.host = self.opener(self.wire.now, lambda: self.open)
        return self.line

    def run(self, seconds: float = 0.1) -> list[Observation]:
        """Runs for some seconds; returns what the line reported meanwhile."""
        self.wire.run(seconds)
        heard, self.heard = self.heard, []
        return heard

    def ask(self, do: str, **fields: Any) -> Response:
        """A hand acts at the shoe."""
        return self.unit.ask({"do": do, **fields}, self.wire.now)

    def unlock(self) -> None:
        """The table permits cards."""
        self.open = True
        self.run()
