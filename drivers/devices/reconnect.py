"""When a device is tried again: the states of a device, from an empty port to play and back.

`STATES` is the one table of what may happen in a state. `Reconnect` walks through it with a clock that its
caller passes in: it opens nothing and never sleeps (docs/decisions/0019).

An attempt leads from an idle state over "connecting" and "identifying" into a session: "catching up", then
"running". However it ends, the device is idle again, and a wait begins:

- after "waiting" it is always the same, because an empty port is nobody's fault;
- after a refusal or a fault it doubles, up to a limit, because the device or its cable needs a person;
- after a refusal before the proof it is always the same as well, because anyone on the line can cause it and
  must not keep the device away;
- a device that loses sessions again and again is held off, so that it cannot suspend the table all the time.
  News of a plug does not end that; a person does.
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
    "try", "opened", "up", "armed", "disarmed", "let go", "absent", "refused", "unproved", "fault", "flapping"
]
Steps = Mapping[ReconnectStep, DeviceState]


@dataclass(frozen=True, slots=True)
class StateRow:
    """One state of a device. `next`: what may happen in it, and the state after that."""

    next: Steps
    reached_by: ReconnectStep | None = None
    """The step of an attempt that leads here; None for states in which the device is idle."""
    session: bool = False
    """A session is up."""
    retried_when_plugged: bool = False
    """News of a plug makes an attempt due at once."""

    @property
    def idle(self) -> bool:
        """Whether no attempt is under way."""
        return self.reached_by is None


_ENDS: Steps = {
    "let go": "waiting",
    "absent": "waiting",
    "refused": "refused",
    "unproved": "refused",
    "fault": "backing off",
}
"""How an attempt may end. "let go": we ended it."""
_IDLE: Steps = {"try": "connecting", "flapping": "held off"}
STATES: Mapping[DeviceState, StateRow] = MappingProxyType(
    {
        "waiting": StateRow(_IDLE, retried_when_plugged=True),
        "connecting": StateRow({"opened": "identifying", **_ENDS}, "try"),
        "identifying": StateRow({"up": "catching up", **_ENDS}, "opened"),
        "catching up": StateRow({"armed": "running", "disarmed": "catching up", **_ENDS}, "up", session=True),
        "running": StateRow({"armed": "running", "disarmed": "catching up", **_ENDS}, "armed", session=True),
        "refused": StateRow(_IDLE, retried_when_plugged=True),
        "backing off": StateRow(_IDLE, retried_when_plugged=True),
        "held off": StateRow({"try": "connecting"}),
    }
)


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
        allowed = STATES[was].next
        if step not in allowed:
            raise Misuse(f"{step!r} while {was}: not allowed; allowed: {', '.join(allowed)}")
        self.state = allowed[step]
        if STATES[self.state].session and not STATES[was].session:
            self._since = now
        if STATES[self.state].idle:
            self._enter_idle(was, step, now)
        return self.state

    def wait(self, now: float) -> float:
        """Seconds until the next attempt is due; 0 if it is due, inf during an attempt."""
        return max(0.0, self._due - now) if STATES[self.state].idle else inf

    def plugged(self, now: float) -> bool:
        """Something was plugged in. Returns whether that makes an attempt due now."""
        return STATES[self.state].retried_when_plugged and self._retry(now)

    def release(self, now: float) -> bool:
        """A person says that all is in order: forgets losses. Returns whether an attempt is due now."""
        self._forget()
        return STATES[self.state].idle and self._retry(now)

    def _enter_idle(self, was: DeviceState, step: ReconnectStep, now: float) -> None:
        if STATES[was].session:
            self._lost(now, ours=step == "let go")
        if self._flaps(now):
            self.state = STATES[self.state].next["flapping"]
            self._forget()
        self._due = now + (self.timing.again if step == "unproved" else self._pause())

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

    def _retry(self, now: float) -> bool:
        self._due = now
        return True
