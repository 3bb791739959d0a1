"""The people at the table: who deals, the pace of play, alerts to acknowledge, and requests."""

from collections import deque
from dataclasses import dataclass, field

from controller.table.record.events import ActTaken, CommandTaken
from controller.table.state.alarms import Alarms
from controller.table.state.requests import RequestRegister

MOST_ENDS = 50
MOST_PRESSES = 32
MOST_ACTS = 64
MOST_COMMANDS = 256


@dataclass(slots=True)
class Shift:
    """`at` is the time of the current input. Times are in seconds of Unix time."""

    at: float = 0.0
    croupier: str = ""
    """The name of the dealer; empty if nobody has said who deals."""
    round_ends: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_ENDS))
    """When the last rounds ended, newest first."""
    alarms: Alarms = field(default_factory=Alarms)
    """Alerts that a person must acknowledge."""
    requests: RequestRegister = field(default_factory=RequestRegister)
    """Requests that other persons must grant."""
    presses: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_PRESSES))
    """The identifiers of the last key presses on screens, newest first."""
    acts: deque[ActTaken] = field(default_factory=lambda: deque(maxlen=MOST_ACTS))
    """How the last acts were answered, newest first."""

    commands: deque[CommandTaken] = field(default_factory=lambda: deque(maxlen=MOST_COMMANDS))
    """How the last commands of the floor were answered, newest first."""
    nonce: str = ""
    """What a command that answers no request must carry. It changes with each use and with each start."""

    def find_command(self, command_id: str) -> CommandTaken | None:
        """How the command of the floor was answered; None if it is new."""
        return next((taken for taken in self.commands if taken.id == command_id), None)

    def find_act(self, who: str, act_id: str) -> ActTaken | None:
        """How this act of this person was answered; None if it is new."""
        return next((act for act in self.acts if act.id == act_id and act.who == who), None)
