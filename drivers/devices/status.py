"""How a device stands: its state, and what a technician should know of it."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from drivers.devices.reconnect import Pace, Reconnect, State, Step
from drivers.errors import Absent, DeviceFault, DriverError, Overslept, Refused

FORWARD: dict[State, Step] = {
    "connecting": "try",
    "identifying": "opened",
    "catching up": "up",
    "running": "armed",
}
"""What happened when a device gets as far as this."""
ENDS: dict[type[DriverError], Step] = {
    Absent: "absent",
    Overslept: "let go",
    Refused: "refused",
    DeviceFault: "fault",
}


class Standing:
    """One device's, told by its conversations. `who` names device and port; `noticed` is called whenever
    something is otherwise than before."""

    def __init__(
        self,
        who: str,
        clock: Callable[[], float],
        noticed: Callable[[], None],
        pace: Pace | None = None,
    ) -> None:
        self.reconnect = Reconnect(pace)
        """When the device is tried again."""
        self.detail = ""
        """A sentence, or nothing. It stands until a session is up."""
        self.since = clock()
        """When it began to serve, or not to."""
        self._who, self._clock, self._noticed = who, clock, noticed

    @property
    def state(self) -> State:
        """waiting, connecting, identifying, catching up, running, refused, backing off or held off."""
        return self.reconnect.state

    def be(self, state: State, detail: str | None = None) -> None:
        """A conversation is as far as this; None: what a technician should know is what it was."""
        if state != self.state:
            self._step(FORWARD[state])
        self._tell(detail)

    def disarmed(self, detail: str) -> None:
        """The session goes on, but the device may not serve."""
        self._step("disarmed")
        self._tell(detail)

    @contextmanager
    def ending(self) -> Iterator[None]:
        """What ends a conversation in here is told, before its port is closed: that may take long."""
        try:
            yield
        except DriverError as error:
            self._end(ENDS.get(type(error), "fault"), str(error))
            raise
        except asyncio.CancelledError:
            self._end("let go", None)
            raise
        except Exception as error:
            self._end("fault", f"our own bug: {type(error).__name__}")
            raise

    def _step(self, step: Step) -> State:
        now, served = self._clock(), self.state == "running"
        after = self.reconnect.step(step, now)
        if served != (after == "running"):
            self.since = now
        return after

    def _end(self, step: Step, detail: str | None) -> None:
        held = self._step(step) == "held off"
        self._tell(self._flaps(detail or "") if held else detail)

    def _flaps(self, why: str) -> str:
        pace = self.reconnect.pace
        return (
            f"{self._who} comes and goes: {pace.losses} sessions lost within {pace.window:g} s. "
            f"Held off for {pace.hold:g} s: look at plug, cable and power. Last: {why}"
        )

    def _tell(self, detail: str | None) -> None:
        self.detail = self.detail if detail is None else detail
        self._noticed()
