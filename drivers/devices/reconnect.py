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

DeviceState = Literal[
    "waiting", "connecting", "identifying", "catching up", "running", "refused", "backing off", "held off"
]
DEVICE_STATES: tuple[DeviceState, ...] = get_args(DeviceState)
ReconnectStep = Literal[
    "try", "opened", "up", "armed", "disarmed", "let go", "absent", "refused", "fault", "flapping"
]

END_STEPS: Mapping[ReconnectStep, DeviceState] = MappingProxyType(
    {"let go": "waiting", "absent": "waiting", "refused": "refused", "fault": "backing off"}
)
"""How an attempt may end. "let go": we ended it."""
NEXT: Mapping[DeviceState, Mapping[ReconnectStep, DeviceState]] = MappingProxyType({
    "waiting":     {"try": "connecting", "flapping": "held off"},
    "connecting":  {"opened": "identifying", **END_STEPS},
    "identifying": {"up": "catching up", **END_STEPS},
    "catching up": {"armed": "running", "disarmed": "catching up", **END_STEPS},
    "running":     {"armed": "running", "disarmed": "catching up", **END_STEPS},
    "refused":     {"try": "connecting", "flapping": "held off"},
    "backing off": {"try": "connecting", "flapping": "held off"},
    "held off":    {"try": "connecting"},
})  # fmt: skip
"""What may happen in a state, and the state after it."""
SESSION = frozenset[DeviceState]({"catching up", "running"})
IDLE = frozenset[DeviceState](state for state, steps in NEXT.items() if "try" in steps)
RETRIED_WHEN_PLUGGED = IDLE - {"held off"}
"""States in which news of a plug makes an attempt due at once."""


@dataclass(frozen=True, slots=True)
class ReconnectTiming:
    """Times in seconds. A device whose sessions were lost `losses` times within `window` flaps."""

    again: float = 1.0
    """Until an empty port is tried again. Also the first wait after a refusal or a fault."""
    longest: float = 30.0
    lasting: float = 30.0
    """After a session of this length, earlier failures are forgotten."""
    losses: int = 5
    window: float = 60.0
    hold: float = 120.0
    """How long a flapping device is left alone."""

    def __post_init__(self) -> None:
        if not 0 < self.again <= self.longest:
            raise ValueError(f"again {self.again:g} s: must be above 0 and at most {self.longest:g} s")
        if self.losses < 2 or self.window <= 0 or self.hold <= 0:
            raise ValueError(
                f"losses {self.losses}, window {self.window:g} s, hold {self.hold:g} s: "
                "must be at least 2, above 0 and above 0"
            )


class Reconnect:
    """When one device is tried again. It starts as "waiting", and its first attempt is due at once."""

    def __init__(self, timing: ReconnectTiming | None = None) -> None:
        self.timing = timing or ReconnectTiming()
        self.state: DeviceState = "waiting"
        self._due = -inf
        self._backoff = self.timing.again
        self._since = 0.0
        self._losses: deque[float] = deque(maxlen=self.timing.losses)

    def step(self, step: ReconnectStep, now: float) -> DeviceState:
        """Takes a step and returns the new state. Raises Misuse for a step that the state does not allow."""
        was = self.state
        if step not in NEXT[was]:
            raise Misuse(f"{step!r} while {was}: not allowed; allowed: {', '.join(NEXT[was])}")
        self.state = NEXT[was][step]
        if self.state in SESSION and was not in SESSION:
            self._since = now
        if self.state in IDLE:
            self._enter_idle(was, step, now)
        return self.state

    def wait(self, now: float) -> float:
        """Seconds until the next attempt is due; 0 if it is due, inf during an attempt."""
        return max(0.0, self._due - now) if self.state in IDLE else inf

    def plugged(self, now: float) -> bool:
        """Something was plugged in. Returns whether that makes an attempt due now."""
        return self._retry_now(now, RETRIED_WHEN_PLUGGED)

    def release(self, now: float) -> bool:
        """A person says that all is in order, so losses are forgotten. Returns whether an attempt is due
        now."""
        self._forget()
        return self._retry_now(now, IDLE)

    def _enter_idle(self, was: DeviceState, step: ReconnectStep, now: float) -> None:
        if was in SESSION:
            self._lost(now, ours=step == "let go")
        if self._flaps(now):
            self.state = NEXT[self.state]["flapping"]
            self._forget()
        self._due = now + self._pause()

    def _lost(self, now: float, *, ours: bool) -> None:
        if now - self._since >= self.timing.lasting:
            self._backoff = self.timing.again
        if not ours:
            self._losses.append(now)

    def _flaps(self, now: float) -> bool:
        full = len(self._losses) == self.timing.losses
        return full and now - self._losses[0] <= self.timing.window

    def _pause(self) -> float:
        if self.state == "held off":
            return self.timing.hold
        if self.state == "waiting":
            self._backoff = self.timing.again
            return self.timing.again
        pause = self._backoff
        self._backoff = min(2 * pause, self.timing.longest)
        return pause

    def _forget(self) -> None:
        self._losses.clear()
        self._backoff = self.timing.again

    def _retry_now(self, now: float, states: frozenset[DeviceState]) -> bool:
        if self.state not in states:
            return False
        self._due = now
        return True
