"""What the five simulated bodies share, and how fast people and machines are."""

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
    """Until a card has left the shoe."""
    shuffle: float
    check: float
    bounce: float
    """How long a contact bounces after chips were put down or taken."""
    settle: float
    """How long a contact must be quiet until the sensor reports it."""
    boot: float
    think: float


TEMPOS = {
    "human": Tempo(card=0.6, shuffle=6.0, check=4.0, bounce=0.03, settle=0.02, boot=0.5, think=0.5),
    "max": Tempo(card=0.0, shuffle=0.0, check=0.0, bounce=0.0, settle=0.0, boot=0.0, think=0.0),
}

NEVER = float("inf")
WARMTH = 31
"""Degrees Celsius inside a healthy device."""


class BodyOutput(Protocol):
    """Receives the output of a body."""

    def record(self, event: EventBody, now: float) -> None:
        """Records an event in the device's ring, and sends it to the host."""

    def say(self, notice: str, **fields: Any) -> None:
        """Publishes a notice on the control socket."""


class SimulatedBody:
    """The mechanics and firmware of a device, above the link. Pure: the time is passed in.

    Subclasses add their commands, what hands can do (`verbs`), and what happens by itself at `deadline`,
    in `tick`. Chips, cards and lids outlive `power_off`; everything else is forgotten.
    """

    commands: ClassVar[Mapping[type[CommandBody], str]] = {}
    """The method for each command of this class of device."""
    verbs: Mapping[str, Verb]

    def __init__(self, outlet: BodyOutput) -> None:
        self.outlet = outlet
        self.armed = False
        self.verbs = {}

    def command(self, record: CommandBody, now: float) -> CommandOutcome:
        """Carries a command out and returns its result."""
        name = self.commands.get(type(record))
        if name is None:
            return Status.UNSUPPORTED, f"{type(record).__name__} is not for this device"
        outcome: CommandOutcome = getattr(self, name)(record, now)
        return outcome

    def arm(self, _now: float) -> None:
        """The host takes charge."""
        self.armed = True
        self.outlet.say("session", armed=True)
        self.on_arm()

    def safe(self, _now: float) -> None:
        """No host is in charge: show the safe state, start no movement."""
        if self.armed:
            self.armed = False
            self.outlet.say("session", armed=False)
        self.on_safe()

    def vitals(self) -> BodyVitals:
        return BodyVitals(mode=self.mode, celsius=WARMTH, errors=0)

    @property
    def mode(self) -> Mode:
        return Mode.READY

    @property
    def deadline(self) -> float:
        """When `tick` has something to do; NEVER if it has not."""
        return NEVER

    def tick(self, now: float) -> None:
        """Does what is due."""

    def boot(self, now: float) -> None:
        """The power came, and the link has read the memory."""

    def power_off(self, now: float) -> None:
        """Volatile state is lost."""
        self.safe(now)

    def forget(self) -> None:
        """The memory was formatted, so the next log starts empty."""

    def on_arm(self) -> None: ...

    def on_safe(self) -> None: ...

    def look(self) -> list[dict[str, Any]]:
        """Notices for a client that has just connected."""
        return [{"notice": "session", "armed": self.armed}]
