"""Who is at the table, how quickly it plays, what they still have to see, and what they ask for."""

from collections import deque
from dataclasses import dataclass, field

from controller.table.state.alarms import Alarms
from controller.table.state.requests import RequestRegister

MOST_ENDS = 50
MOST_PRESSES = 32


@dataclass(slots=True)
class Shift:
    """`at` is the stamp of the input in hand; times are seconds of Unix time."""

    at: float = 0.0
    croupier: str = ""
    """Who deals, by name; empty: nobody has said."""
    round_ends: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_ENDS))
    """When the last rounds ended, newest first."""
    alarms: Alarms = field(default_factory=Alarms)
    """Alerts that somebody must acknowledge."""
    requests: RequestRegister = field(default_factory=RequestRegister)
    """What others must grant."""
    presses: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_PRESSES))
    """The last presses of keys on a screen, as it calls them, newest first."""
