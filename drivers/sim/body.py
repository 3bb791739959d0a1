"""How fast people and mechanics are: `human` to be watched, `max` for as many rounds as possible.

What the five simulated bodies share.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from drivers.messages import CommandBody, EventBody
from drivers.protocol.codes import Mode, Status
from drivers.sim.link.commands import BodyVitals
from drivers.sim.link.memory import CommandOutcome
from drivers.sim.requests import Verb


@dataclass(frozen=True, slots=True)
class Tempo:
    """All in seconds."""

    card: float
    """A card on its way out of the shoe."""
    shuffle: float
    check: float
    bounce: float
    """How long a contact bounces after chips were put down or taken."""
    settle: float
    """How long a contact must be quiet before the sensor believes it."""
    boot: float
    think: float
    """What the crew waits before it does something."""


TEMPOS = {
    "human": Tempo(card=0.6, shuffle=6.0, check=4.0, bounce=0.03, settle=0.02, boot=0.5, think=0.5),
    "max": Tempo(card=0.0, shuffle=0.0, check=0.0, bounce=0.0, settle=0.0, boot=0.0, think=0.0),
}

NEVER = float("inf")
WARMTH = 31
"""Degrees Celsius inside a healthy device."""


class BodyOutput(Protocol):
    """Where a body's news goes."""

    def record(self, event: EventBody, now: float) -> None:
        """Into the device's ring, and to the host."""

    def say(self, notice: str, **fields: Any) -> None:
        """To whoever stands at the table and looks."""


class SimulatedBody:
    """One device's mechanics and firmware, above the link. Pure: the time is passed in.

    Subclasses add their commands, what hands can do (`verbs`), and what shall happen by itself at
    `deadline`, in `tick`. Chips, cards and lids outlive `power_off`; everything else is forgotten.
    """

    commands: ClassVar[Mapping[type[CommandBody], str]] = {}
    """The method for each command that this class of device knows."""
    verbs: Mapping[str, Verb]

    def __init__(self, outlet: BodyOutput) -> None:
        self.outlet = outlet
        self.armed = False
        self.verbs = {}

    def command(self, record: CommandBody, now: float) -> CommandOutcome:
        """Do it and say how it ended."""
        name = self.commands.get(type(record))
        if name is None:
            return Status.UNSUPPORTED, f"{type(record).__name__} is not for this device"
        outcome: CommandOutcome = getattr(self, name)(record, now)
        return outcome

    def arm(self, _now: float) -> None:
        """The host is in charge."""
        self.armed = True
        self.outlet.say("session", armed=True)
        self.on_arm()

    def safe(self, _now: float) -> None:
        """Nobody is in charge any more: show the safe state, move nothing new."""
        if self.armed:
            self.armed = False
            self.outlet.say("session", armed=False)
        self.on_safe()

    def vitals(self) -> BodyVitals:
        """For the heartbeat."""
        return BodyVitals(mode=self.mode, celsius=WARMTH, errors=0)

    @property
    def mode(self) -> Mode:
        """The device's condition."""
        return Mode.READY

    @property
    def deadline(self) -> float:
        """When `tick` has something to do; NEVER when it has not."""
        return NEVER

    def tick(self, now: float) -> None:
        """Let happen what is due."""

    def boot(self, now: float) -> None:
        """The power came; the link has read the memory."""

    def power_off(self, now: float) -> None:
        """Volatile state is gone."""
        self.safe(now)

    def forget(self) -> None:
        """The memory was formatted, so the next log starts from nothing."""

    def on_arm(self) -> None:
        """Leave the safe state."""

    def on_safe(self) -> None:
        """Take up the safe state."""

    def look(self) -> list[dict[str, Any]]:
        """What somebody sees who has just come to the table: notices."""
        return [{"notice": "session", "armed": self.armed}]
