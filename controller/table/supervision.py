"""Keeps every device: connect, identify, run; lost, back off, again. One object for all of them."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields
from typing import NoReturn, Protocol

from controller.table.events import DeviceLost
from controller.table.view import DeviceView
from drivers.adapters.names import NAMES
from drivers.device import Device
from drivers.errors import Absent, DriverError

AGAIN = 1.0
"""Seconds until a port that was empty is tried again."""
LONGEST_WAIT = 30.0
RESETS = "resets "
"""What the name of such a count begins with; the reason follows."""


class Log(Protocol):
    """Where trouble with devices is told; structlog's loggers are this."""

    def warning(self, event: str, **fields: object) -> object:
        """Somebody should look."""

    def debug(self, event: str, **fields: object) -> object:
        """The same trouble again."""

    def error(self, event: str, **fields: object) -> object:
        """Our own bug."""


class Supervision:
    """`lost` is told whenever a device goes, or is missing for another reason than before."""

    def __init__(
        self,
        devices: Mapping[str, Device],
        lost: Callable[[DeviceLost], None],
        log: Log,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._devices, self._lost, self._log, self._sleep = devices, lost, log, sleep
        self._talks: dict[str, asyncio.Task[NoReturn]] = {}

    async def run(self) -> None:
        """Serve all devices until cancelled; each is then told goodbye."""
        async with asyncio.TaskGroup() as group:
            for name, device in self._devices.items():
                group.create_task(self._keep(name, device), name=f"device {name}")

    def renew(self, name: str) -> None:
        """End the session with a device, whose trouble a person has seen, and begin another one."""
        self._devices[name].clear()
        if talk := self._talks.get(name):
            talk.cancel()

    def views(self) -> tuple[DeviceView, ...]:
        """How each device is."""
        return tuple(_view(name, device) for name, device in self._devices.items())

    async def _keep(self, name: str, device: Device) -> None:
        wait, told = AGAIN, ""
        while True:
            sessions = device.counters.sessions
            error = await self._attempt(name, device)
            if device.counters.sessions > sessions:
                wait, told = AGAIN, ""
            self._tell(name, error, again=str(error) == told)
            told = str(error)
            await self._sleep(wait)
            wait = AGAIN if isinstance(error, Absent) else min(2 * wait, LONGEST_WAIT)

    async def _attempt(self, name: str, device: Device) -> BaseException:
        """One conversation, and how it ended."""
        talk = self._talks[name] = asyncio.create_task(device.converse(), name=f"session {name}")
        try:
            await asyncio.wait({talk})
        finally:
            talk.cancel()
            await asyncio.wait({talk})
        if talk.cancelled():
            return Absent(f"{name}: a new session was asked for")
        error = talk.exception() or AssertionError("a conversation never ends by itself")
        if not isinstance(error, DriverError):
            self._log.error("our own bug", device=name, exc_info=error)
            device.be("backing off", f"our own bug: {error!r}")
        return error

    def _tell(self, name: str, error: BaseException, *, again: bool) -> None:
        if again:
            self._log.debug("device missing", device=name, why=str(error))
            return
        self._log.warning("device missing", device=name, why=str(error))
        self._lost(DeviceLost(name, str(error)))


def _view(name: str, device: Device) -> DeviceView:
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
        counters=counts(device),
        adapter=facts.hardware if facts and facts.hardware in NAMES else "",
    )


def counts(device: Device) -> dict[str, int]:
    """What the device's links counted, by name; ends of sessions by "resets" and the reason. The age of its
    heartbeat is there while it has a session."""
    counters, age = device.counters, device.heartbeat_age
    plain = {
        field.name: value
        for field in fields(counters)
        if isinstance(value := getattr(counters, field.name), int)
    }
    resets = {f"{RESETS}{reason}": number for reason, number in counters.resets.items()}
    return plain | resets | ({} if age is None else {"heartbeat_age_us": round(age * 1e6)})
