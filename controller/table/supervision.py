"""Keeps every device: a conversation when `reconnect` says that one is due, and words about how it ended."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields
from typing import NoReturn, Protocol

from controller.table.record.events import DeviceLost
from controller.table.record.views import ConditionView, DeviceView
from drivers.adapters.options import NAMES
from drivers.devices.device import Device
from drivers.errors import Absent, DriverError
from drivers.protocol.codes import Mode
from drivers.protocol.common_pb2 import Heartbeat

RESETS = "resets "
"""What the name of such a count begins with; the reason follows."""


class DeviceLog(Protocol):
    """Where trouble with devices is told; structlog's loggers are this."""

    def warning(self, event: str, **fields: object) -> object:
        """Somebody should look."""

    def debug(self, event: str, **fields: object) -> object:
        """The same trouble again."""

    def error(self, event: str, **fields: object) -> object:
        """Our own bug."""


class Supervision:
    """`lost` is told whenever a device goes, or is missing for another reason than before. `clock` in seconds
    that never jump, the devices' own; `wall` gives Unix time."""

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
        """By device, since when it is as it is: by the one clock and by the other."""

    async def run(self) -> None:
        """Serve all devices until cancelled; each is then told goodbye."""
        async with asyncio.TaskGroup() as group:
            for name, device in self._devices.items():
                group.create_task(self._serve(name, device), name=f"device {name}")

    def renew(self, name: str) -> None:
        """End the session with a device, whose trouble a person has seen, and begin another one; one that is
        held off is tried at once."""
        device = self._devices[name]
        device.clear()
        device.status.reconnect.release(self._clock())
        self._wake(name)
        if session := self._sessions.get(name):
            session.cancel()

    def retry_missing(self) -> None:
        """Something was plugged in: whoever is missing is tried at once, but for those that are held off."""
        for name, device in self._devices.items():
            if device.status.reconnect.plugged(self._clock()):
                self._wake(name)

    def views(self) -> tuple[DeviceView, ...]:
        """How each device is."""
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
            why = str(error) if isinstance(error, DriverError) else device.detail
            self._report(name, device, why, again=why == last_reason)
            last_reason = why
            while wait := device.status.reconnect.wait(self._clock()):
                await self._wait(name, wait)

    async def _attempt(self, name: str, device: Device) -> BaseException:
        """One conversation, and how it ended."""
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
        """The first failure is a warning, the same one again is not; to be held off is news by itself."""
        held = device.state == "held off"
        if again and not held:
            self._log.debug("device missing", device=name, why=why)
            return
        why = device.detail if held else why
        self._log.warning("device held off" if held else "device missing", device=name, why=why)
        self._on_lost(DeviceLost(name, why, held))

    async def _wait(self, name: str, seconds: float) -> None:
        """So long, or until somebody wakes it."""
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
    """What the device's links counted, by name; ends of sessions by "resets" and the reason, what its ports
    counted by "port_" and the name. The age of its heartbeat is there while it has a session."""
    counters, age = device.counters, device.heartbeat_age
    plain = {
        field.name: value
        for field in fields(counters)
        if isinstance(value := getattr(counters, field.name), int)
    }
    resets = {f"{RESETS}{reason}": number for reason, number in counters.resets.items()}
    ports = {f"port_{name}": number for name, number in device.port_counts.items()}
    return plain | resets | ports | ({} if age is None else {"heartbeat_age_us": round(age * 1e6)})
