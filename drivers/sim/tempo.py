"""How fast people and mechanics are: `human` to be watched, `max` for as many rounds as possible."""

from dataclasses import dataclass


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
