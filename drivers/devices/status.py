"""The state of a device, and a sentence for technicians."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from drivers.devices.reconnect import STATES, DeviceState, Reconnect, ReconnectStep, ReconnectTiming
from drivers.errors import Absent, DeviceFault, DriverError, Misuse, Overslept, Refused, Unproved

STEP_FOR_ERROR: dict[type[DriverError], ReconnectStep] = {
    Absent: "absent",
    Overslept: "let go",
    Refused: "refused",
    Unproved: "unproved",
    DeviceFault: "fault",
}
"""How an attempt ends that raises this error."""


class DeviceStatus:
    """The status of one device. `label` names device and port. `on_change` is called after each change."""

    def __init__(
        self,
        label: str,
        clock: Callable[[], float],
        on_change: Callable[[], None],
        timing: ReconnectTiming | None = None,
    ) -> None:
        self.reconnect = Reconnect(timing)
        self.detail = ""
        """A sentence, or empty. It stands until a session is up."""
        self.since = clock()
        """When the device last began or ceased to serve the table."""
        self._label, self._clock, self._on_change = label, clock, on_change

    @property
    def state(self) -> DeviceState:
        """waiting, connecting, identifying, catching up, running, refused, backing off or held off."""
        return self.reconnect.state

    def advance(self, state: DeviceState, detail: str | None = None) -> None:
        """An attempt has reached this state. None leaves the detail as it is."""
        if state != self.state:
            step = STATES[state].reached_by
            if step is None:
                raise Misuse(f"no attempt leads to {state}: it is a state after an end")
            self._step(step)
        self._set_detail(detail)

    def disarmed(self, detail: str) -> None:
        """The session goes on, but the device may not serve the table."""
        self._step("disarmed")
        self._set_detail(detail)

    @contextmanager
    def reporting_end(self) -> Iterator[None]:
        """Sets the state when an exception ends the attempt, before its port is closed: closing may take
        long."""
        try:
            yield
        except DriverError as error:
            self._end(STEP_FOR_ERROR.get(type(error), "fault"), str(error))
            raise
        except asyncio.CancelledError:
            self._end("let go", None)
            raise
        except Exception as error:
            self._end("fault", f"our own bug: {type(error).__name__}")
            raise

    def _step(self, step: ReconnectStep) -> DeviceState:
        now, served = self._clock(), self.state == "running"
        after = self.reconnect.step(step, now)
        if served != (after == "running"):
            self.since = now
        return after

    def _end(self, step: ReconnectStep, detail: str | None) -> None:
        held = self._step(step) == "held off"
        self._set_detail(self._flapping_text(detail or "") if held else detail)

    def _flapping_text(self, why: str) -> str:
        timing = self.reconnect.timing
        return (
            f"{self._label} comes and goes: {timing.losses} sessions lost within {timing.window:g} s. "
            f"Held off for {timing.hold:g} s: look at plug, cable and power. Last: {why}"
        )

    def _set_detail(self, detail: str | None) -> None:
        self.detail = self.detail if detail is None else detail
        self._on_change()
