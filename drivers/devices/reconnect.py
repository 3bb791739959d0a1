"""When a device is tried again: one course for each device, from an empty port to play and back.

Pure: what happened is told by `step`, with the time; nothing is opened, nothing sleeps.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Literal, get_args

from drivers.errors import Misuse

State = Literal[
    "waiting", "connecting", "identifying", "catching up", "running", "refused", "backing off", "held off"
]
STATES: tuple[State, ...] = get_args(State)
Step = Literal["try", "opened", "up", "armed", "disarmed", "let go", "absent", "refused", "fault", "flapping"]

ENDS: Mapping[Step, State] = MappingProxyType(
    {"let go": "waiting", "absent": "waiting", "refused": "refused", "fault": "backing off"}
)
"""How any attempt may end; "let go": by our own wish."""
NEXT: Mapping[State, Mapping[Step, State]] = MappingProxyType({
    "waiting":     {"try": "connecting", "flapping": "held off"},
    "connecting":  {"opened": "identifying", **ENDS},
    "identifying": {"up": "catching up", **ENDS},
    "catching up": {"armed": "running", "disarmed": "catching up", **ENDS},
    "running":     {"armed": "running", "disarmed": "catching up", **ENDS},
    "refused":     {"try": "connecting", "flapping": "held off"},
    "backing off": {"try": "connecting", "flapping": "held off"},
    "held off":    {"try": "connecting"},
})  # fmt: skip
"""What may happen in a state, and the state after it."""
SESSION = frozenset[State]({"catching up", "running"})
IDLE = frozenset[State](state for state, steps in NEXT.items() if "try" in steps)
HURRIED = IDLE - {"held off"}
"""Where the news that something was plugged in is worth an attempt at once."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Times in seconds. A device whose sessions were lost `losses` times within `window` flaps."""

    again: float = 1.0
    """Until an empty port is tried again; the first wait after a refusal or a fault."""
    longest: float = 30.0
    lasting: float = 30.0
    """A session that lasted so long was a good one: what went wrong before it is forgotten."""
    losses: int = 5
    window: float = 60.0
    hold: float = 120.0
    """How long a device that flaps is left alone."""

    def __post_init__(self) -> None:
        if not 0 < self.again <= self.longest:
            raise ValueError(f"again {self.again:g} s: must be above 0 and at most {self.longest:g} s")
        if self.losses < 2 or self.window <= 0 or self.hold <= 0:
            raise ValueError(
                f"losses {self.losses}, window {self.window:g} s, hold {self.hold:g} s: "
                "must be at least 2, above 0 and above 0"
            )


class Reconnect:
    """The course of one device. It begins waiting, and its first attempt is due at once."""

    def __init__(self, pace: Pace | None = None) -> None:
        self.pace = pace or Pace()
        self.state: State = "waiting"
        self._due = -inf
        self._backoff = self.pace.again
        self._since = 0.0
        self._losses: deque[float] = deque(maxlen=self.pace.losses)

    def step(self, step: Step, now: float) -> State:
        """Something happened; the state after it. Raises Misuse for what this state does not allow."""
        was = self.state
        if step not in NEXT[was]:
            raise Misuse(f"{step!r} while {was}: not allowed; allowed: {', '.join(NEXT[was])}")
        self.state = NEXT[was][step]
        if self.state in SESSION and was not in SESSION:
            self._since = now
        if self.state in IDLE:
            self._rest(was, step, now)
        return self.state

    def wait(self, now: float) -> float:
        """Seconds until the next attempt is due, 0 if it is now; inf while one is under way."""
        return max(0.0, self._due - now) if self.state in IDLE else inf

    def plugged(self, now: float) -> bool:
        """Something was plugged in: whether that makes an attempt due now."""
        return self._hurry(now, HURRIED)

    def release(self, now: float) -> bool:
        """A person says that all is in order: losses are forgotten; whether an attempt is due now."""
        self._forget()
        return self._hurry(now, IDLE)

    def _rest(self, was: State, step: Step, now: float) -> None:
        if was in SESSION:
            self._lost(now, ours=step == "let go")
        if self._flaps(now):
            self.state = NEXT[self.state]["flapping"]
            self._forget()
        self._due = now + self._pause()

    def _lost(self, now: float, *, ours: bool) -> None:
        if now - self._since >= self.pace.lasting:
            self._backoff = self.pace.again
        if not ours:
            self._losses.append(now)

    def _flaps(self, now: float) -> bool:
        full = len(self._losses) == self.pace.losses
        return full and now - self._losses[0] <= self.pace.window

    def _pause(self) -> float:
        if self.state == "held off":
            return self.pace.hold
        if self.state == "waiting":
            self._backoff = self.pace.again
            return self.pace.again
        pause = self._backoff
        self._backoff = min(2 * pause, self.pace.longest)
        return pause

    def _forget(self) -> None:
        self._losses.clear()
        self._backoff = self.pace.again

    def _hurry(self, now: float, states: frozenset[State]) -> bool:
        if self.state not in states:
            return False
        self._due = now
        return True
