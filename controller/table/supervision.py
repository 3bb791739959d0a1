"""Keeps every device connected: one task per device, which holds one session after another.

Theory of operation
-------------------
Each device has a task that repeats three steps for as long as the daemon runs:

1. Hold a session: `Device.converse` opens the port, shakes hands and serves the link until something ends
   it. A session never ends by itself; it ends with an error that says why.
2. Report the end: an event `DeviceLost` for the table, which suspends play, and a line for the log.
3. Wait until the next attempt is due, or until somebody asks for it.

When the next attempt is due is decided by `drivers.devices.reconnect`, a state machine without clock or I/O:
a missing port is tried each second, a device that is refused although it proved its key after 1, 2, 4 ..
30 s (TSL/1, section 6.1), and a device that flaps is held off for two minutes or until a supervisor resumes
play. This module adds the tasks, the clock and the sentences.

Rules, and what each prevents:

- A session is a task of its own inside the device's task: `renew` can end the session without ending the
  supervision.
- A new session never continues an old one (section 6). After an error nothing that the link believed can be
  trusted.
- A device that is refused before it has proved its key is no event for the table, because anyone on its line
  can cause that. It costs one line of the log in 60 s for each reason, and the next attempt is due after 1 s.
- Only the first of several equal failures is a warning; the next ones are debug lines, until a session has
  succeeded. A cable that is unplugged overnight would otherwise fill the log. Being held off is always
  reported.
- News of a plug ends the wait of every missing device, but not of one that is held off: a device that flaps
  causes such news itself.
- An exception that is not a DriverError is a fault of this software. It is logged with its traceback, and
  the device is tried again: one faulty driver must not end the table.
- All tasks share one group. When the daemon stops, each session is cancelled and says goodbye to its
  device.
"""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields
from typing import NoReturn, Protocol

from controller.table.record.events import DeviceLost
from controller.table.record.views import ConditionView, DeviceView
from drivers.adapters.options import NAMES
from drivers.devices.device import Device
from drivers.errors import Absent, DriverError, Unproved
from drivers.protocol.codes import Mode
from drivers.protocol.common_pb2 import Heartbeat

RESETS = "resets "
"""The beginning of the name of a counter of ended sessions; the reason follows."""
UNPROVED_LOG_INTERVAL = 60.0
"""Seconds between two lines of the log about one device and one reason of refusals before its proof."""


class DeviceLog(Protocol):
    """A structlog logger, or a test's list of lines."""

    def warning(self, event: str, **fields: object) -> object:
        """A first failure."""

    def debug(self, event: str, **fields: object) -> object:
        """The same failure again."""

    def error(self, event: str, **fields: object) -> object:
        """A fault of this software."""


class Supervision:
    """`on_lost` is called when a session ends for another reason than the session before. `clock` gives
    seconds that never jump and is the clock of the devices; `wall` gives Unix time."""

    def __init__(
        self,
        devices: Mapping[str, Device],
        on_lost: Callable[[DeviceLost], None],
        log: DeviceLog,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._devices, self._on_lost, self._log = devices, on_lost, log
        self._sleep, self._clock, self._wall = sleep, clock, wall
        self._sessions: dict[str, asyncio.Task[NoReturn]] = {}
        self._waits: dict[str, asyncio.Future[None]] = {}
        self._since: dict[str, tuple[float, float]] = {}
        """By device, the time of its last change of state by `clock` and by `wall`."""
        self._unproved: dict[tuple[str, str], float] = {}
        """By device and reason, when the log got its last line about a refusal before a proof."""

    async def run(self) -> None:
        """Serve all devices until cancelled; each session then says goodbye."""
        async with asyncio.TaskGroup() as group:
            for name, device in self._devices.items():
                group.create_task(self._serve(name, device), name=f"device {name}")

    def renew(self, name: str) -> None:
        """Begin a new session with a device whose fault a person has seen. A device that is held off is
        tried at once."""
        device = self._devices[name]
        device.clear()
        device.status.reconnect.release(self._clock())
        self._wake(name)
        if session := self._sessions.get(name):
            session.cancel()

    def retry_missing(self) -> None:
        """Something was plugged in: try every missing device at once, except those that are held off."""
        for name, device in self._devices.items():
            if device.status.reconnect.plugged(self._clock()):
                self._wake(name)

    def views(self) -> tuple[DeviceView, ...]:
        return tuple(_view(name, device, self._stamp(name, device)) for name, device in self._devices.items())

    def _stamp(self, name: str, device: Device) -> float:
        since = device.status.since
        known = self._since.get(name)
        if known is None or known[0] != since:
            known = self._since[name] = since, float(round(self._wall() - (self._clock() - since)))
        return known[1]

    async def _serve(self, name: str, device: Device) -> None:
        last_reason = ""
        while True:
            sessions = device.counters.sessions
            error = await self._attempt(name, device)
            if device.counters.sessions > sessions:
                last_reason = ""
            if isinstance(error, Unproved):
                self._report_unproved(name, error)
            else:
                why = str(error) if isinstance(error, DriverError) else device.detail
                self._report(name, device, why, again=why == last_reason)
                last_reason = why
            while wait := device.status.reconnect.wait(self._clock()):
                await self._wait(name, wait)

    async def _attempt(self, name: str, device: Device) -> BaseException:
        """Hold one session; returns the error that ended it."""
        session = self._sessions[name] = asyncio.create_task(device.converse(), name=f"session {name}")
        try:
            await asyncio.wait({session})
        finally:
            session.cancel()
            await asyncio.wait({session})
        if session.cancelled():
            return Absent(f"{name}: a new session was asked for")
        error = session.exception() or AssertionError("a conversation never ends by itself")
        if not isinstance(error, DriverError):
            self._log.error("our own bug", device=name, exc_info=error)
        return error

    def _report(self, name: str, device: Device, why: str, *, again: bool) -> None:
        """Only the first of several equal failures is a warning. Being held off is always reported."""
        held = device.state == "held off"
        if again and not held:
            self._log.debug("device missing", device=name, why=why)
            return
        why = device.detail if held else why
        self._log.warning("device held off" if held else "device missing", device=name, why=why)
        self._on_lost(DeviceLost(name, why, held))

    def _report_unproved(self, name: str, error: Unproved) -> None:
        """Words for the log only, and not too many."""
        now, key = self._clock(), (name, error.reason)
        if now - self._unproved.get(key, -math.inf) >= UNPROVED_LOG_INTERVAL:
            self._unproved[key] = now
            self._log.warning("device refused", device=name, why=str(error))

    async def _wait(self, name: str, seconds: float) -> None:
        """Wait for `seconds`, or until `_wake` is called."""
        waiting = self._waits[name] = asyncio.ensure_future(self._sleep(seconds))
        try:
            await asyncio.wait({waiting})
        finally:
            waiting.cancel()
            await asyncio.wait({waiting})

    def _wake(self, name: str) -> None:
        if waiting := self._waits.get(name):
            waiting.cancel()


def _view(name: str, device: Device, since: float) -> DeviceView:
    facts = device.facts
    return DeviceView(
        name=name,
        kind=device.device_class.name.lower(),
        port=device.settings.port,
        state=device.state,
        detail=device.detail,
        serial=device.settings.serial,
        firmware=facts.firmware if facts else "",
        insecure=facts.insecure if facts else True,
        counters=link_counts(device),
        hardware=facts.hardware if facts else "",
        adapter=facts.hardware if facts and facts.hardware in NAMES else "",
        condition=_condition(device.heartbeat),
        since=since,
    )


def _condition(heartbeat: Heartbeat | None) -> ConditionView | None:
    if heartbeat is None:
        return None
    mode = next((mode.name.lower().replace("_", " ") for mode in Mode if mode == heartbeat.mode), "unknown")
    return ConditionView(mode, heartbeat.celsius, heartbeat.errors, heartbeat.free)


def link_counts(device: Device) -> dict[str, int]:
    """The counters of the device's links by name. Ends of sessions have the name "resets" and the reason,
    counters of ports begin with "port_". The age of the heartbeat is there while the device has a
    session."""
    counters, age = device.counters, device.heartbeat_age
    plain = {
        field.name: value
        for field in fields(counters)
        if isinstance(value := getattr(counters, field.name), int)
    }
    resets = {f"{RESETS}{reason}": number for reason, number in counters.resets.items()}
    ports = {f"port_{name}": number for name, number in device.port_counts.items()}
    return plain | resets | ports | ({} if age is None else {"heartbeat_age_us": round(age * 1e6)})
