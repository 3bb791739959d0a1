"""What the five devices share: a port, an identity, a session at a time, and what they shall be.

Which serial number answers on which port, for all devices of a table.
"""

import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NoReturn

from drivers.devices.reconnect import DeviceState, ReconnectTiming
from drivers.devices.status import DeviceStatus
from drivers.errors import Absent, DeviceFault, Misuse, Overslept, Refused
from drivers.link.codec import command_message
from drivers.link.commands import STATE_KEYS, CommandKeys, StateKey
from drivers.link.counters import Counters, total
from drivers.link.facts import Bookmark, DeviceFacts, Expected
from drivers.link.host import HostLink, HostTimeouts
from drivers.link.intake import KNOWN
from drivers.link.limits import Timing
from drivers.link.reports import (
    DeviceEvent,
    DeviceRefused,
    DeviceReport,
    DeviceRunning,
    DeviceUp,
    Down,
    HeartbeatLate,
    LinkEvent,
)
from drivers.link.shell import Shell
from drivers.messages import CommandBody
from drivers.ports.opening import open_port
from drivers.ports.transport import Transport
from drivers.protocol.codes import DeviceClass
from drivers.protocol.common_pb2 import Heartbeat


class ConnectedSerials:
    """One per table: a serial number that answers on two ports is a copy, or one of them is miswired."""

    def __init__(self) -> None:
        self._ports: dict[str, str] = {}

    def other_ports(self, serial: str, port: str) -> str:
        """Where the serial number is connected besides `port`, as "on A and on B"; empty: nowhere."""
        other = self._ports.get(serial, port)
        return "" if other == port else f"on {other} and on {port}"

    def claim(self, serial: str, port: str) -> None:
        """A session with this serial number is up on `port`."""
        self._ports[serial] = port

    def release(self, port: str) -> None:
        """No session is up on `port`."""
        self._ports = {serial: held for serial, held in self._ports.items() if held != port}


ABSENCE_ERRORS = {**dict.fromkeys(("silent", "heartbeat", "bye", "no session"), Absent), "slept": Overslept}
"""Ends of a session that blame nobody; all others are the device's fault or the line's."""

MOST_GAPS = 3
"""A single gap may come from the line; a device whose sessions end this way each time has a corrupt
memory."""


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """Where a device is and who it is; the rate is configured, never negotiated. `key`: 32 bytes, empty for
    `seal = none`."""

    port: str
    serial: str
    baud: int = 115_200
    key: bytes = field(default=b"", repr=False)


class Device:
    """One configured device. What it shall be outlives its sessions: each new one is told all of it."""

    device_class: ClassVar[DeviceClass]

    def __init__(
        self,
        name: str,
        settings: DeviceSettings,
        bookmark: Callable[[], Bookmark],
        deliver: Callable[[DeviceReport], None],
        *,
        clock: Callable[[], float],
        alive: Callable[[], bool],
        connected: ConnectedSerials | None = None,
        timeouts: HostTimeouts | None = None,
        open_transport: Callable[[str, int], Awaitable[Transport]] = open_port,
        on_change: Callable[[], None] = lambda: None,
        reconnect_timing: ReconnectTiming | None = None,
    ) -> None:
        self.name, self.settings = name, settings
        self.status = DeviceStatus(f"{name} on port {settings.port}", clock, on_change, reconnect_timing)
        self.facts: DeviceFacts | None = None
        """What it said of itself in the last session."""
        self._bookmark, self._deliver, self._clock, self._alive = bookmark, deliver, clock, alive
        self._connected = connected or ConnectedSerials()
        self._timeouts, self._open, self._on_change = timeouts, open_transport, on_change
        self._keys = CommandKeys()
        self._wanted: dict[StateKey, CommandBody] = {}
        self._hold = self._has_met = False
        self._gaps = 0
        """The number of sessions in a row that ended because of the numbers of their events."""
        self._past = Counters()
        self._transport: Transport | None = None
        self._port_counts: Counter[str] = Counter()
        self._link: HostLink | None = None
        self._shell: Shell[Any] | None = None

    async def converse(self) -> NoReturn:
        """Open the port, identify the device, serve it until something ends that.

        Raises Absent (no port, unplugged, silent), Refused (not whom the configuration names, or not to be
        trusted) or DeviceFault (it broke the protocol); each names the device and the port.
        """
        with self.status.reporting_end():
            self.status.advance("connecting")
            transport = await self._open(self.settings.port, self.settings.baud)
        self._transport = transport
        try:
            with self.status.reporting_end():
                await self._serve(transport)
        finally:
            self._transport = None
            self._port_counts.update(transport.counts)
            await transport.close()
        raise AssertionError("a shell ends by an exception only")

    @property
    def state(self) -> DeviceState:
        """waiting, connecting, identifying, catching up, running, refused, backing off or held off."""
        return self.status.state

    @property
    def detail(self) -> str:
        """What a technician should know, in a sentence; else empty. It stands until a session is up."""
        late = self._link is not None and self._link.late(self._clock())
        return f"no heartbeat for {self.heartbeat_age:.1f} s" if late else self.status.detail

    def commit(self, number: int) -> None:
        """All events up to `number` are in the journal, on disk."""
        if self._link:
            self._link.commit(number)
            self._pump()

    def reserve_key(self) -> int:
        """A fresh action key, above all that the journal and the device know; to be journaled, then used."""
        self._keys.skip_to(self._bookmark().last_key)
        return self._keys.next()

    def act(self, key: int, record: CommandBody) -> None:
        """Have an action done once; its key is in the journal. ActionEnded tells the result.

        Without a session nothing is sent: the next one recalls what the journal has as open.
        """
        self._check(record)
        if self._link:
            self._link.act(key, record)
            self._pump()

    def poll(self) -> None:
        """Serve the session while the loop stands still, as Shell.poll says."""
        if self._shell:
            self._shell.poll()

    def resume(self) -> None:
        """The loop runs again: handle what arrived while `poll` served."""
        if self._shell:
            self._shell.resume()

    def clear(self) -> None:
        """A person has looked at a critical event that nobody here can read: arm again, in a new session."""
        self._hold = False

    @property
    def counters(self) -> Counters:
        """What all links of this device counted."""
        return total(self._past, self._link.counters) if self._link else self._past

    @property
    def heartbeat(self) -> Heartbeat | None:
        """What the device said of itself last; None without a session."""
        return self._link.peer if self._link else None

    @property
    def port_counts(self) -> Mapping[str, int]:
        """What all its ports counted."""
        return self._port_counts + Counter(self._transport.counts if self._transport else {})

    @property
    def heartbeat_age(self) -> float | None:
        """Seconds since the last heartbeat; None without a session."""
        return self._link.heartbeat_age(self._clock()) if self._link else None

    def want(self, record: CommandBody) -> None:
        """What the device shall be: told now if a session is up, and in each session to come.

        What lasts a moment only (a buzz, a celebration, a stop) is told now or never.
        """
        key = STATE_KEYS[type(record)](record) if type(record) in STATE_KEYS else None
        if key and self._wanted.get(key) == record:
            return
        self._check(record)
        if key:
            self._wanted[key] = record
        if self._link and (key or self.state == "running"):
            self._link.want(record)
            self._pump()

    def wanted(self, key: StateKey) -> bool:
        """Whether something of this kind is wanted."""
        return key in self._wanted

    def log_changed(self) -> None:
        """The device is of another log than in the last session: take back what counted on that one."""

    def _check(self, record: CommandBody) -> None:
        try:
            command_message(0, record)
        except ValueError as error:
            raise Misuse(f"{self.name}: {error}") from error

    def _pump(self) -> None:
        if self._shell:
            self._shell.pump()

    async def _serve(self, transport: Transport) -> None:
        self.status.advance("identifying")
        self._link = link = self._new_link()
        self._shell = shell = Shell(transport, link, self._handle, self._clock)
        try:
            await shell.run()
        finally:
            self._past = total(self._past, link.counters)
            self._link = self._shell = None
            self._connected.release(self.settings.port)

    def _new_link(self) -> HostLink:
        port, bookmark = self.settings.port, self._bookmark()
        self._has_met = bool(bookmark.log)
        link = HostLink(
            Expected(self.device_class, self.settings.serial, self.name),
            bookmark,
            secrets.token_bytes,
            self._clock(),
            self._alive,
            key=self.settings.key,
            other_ports=lambda serial: self._connected.other_ports(serial, port),
            keys=self._keys,
            hold=self._hold,
            timeouts=self._timeouts,
            timing=Timing(baud=self.settings.baud),
        )
        for record in self._wanted.values():
            link.want(record)
        return link

    def _handle(self, event: LinkEvent) -> None:
        if handler := _HANDLERS.get(type(event)):
            handler(self, event)
        if isinstance(event, DeviceReport):
            self._deliver(event)

    def _up(self, event: DeviceUp) -> None:
        if distrusted := event.facts.distrust_reason:
            raise Refused("seal", f"{self.name} on port {self.settings.port}: {distrusted}")
        self.facts = event.facts
        self.status.advance("catching up", event.facts.unfit_reason)
        self._connected.claim(event.facts.serial, self.settings.port)
        if self._has_met and event.relation != KNOWN:
            self.log_changed()

    def _event_arrived(self, event: DeviceEvent) -> None:
        if event.critical:
            self._hold = True
            unread = f"event {event.number} is critical and of a later version: a person must look at it"
            self.status.disarmed(unread)

    def _running(self, _event: DeviceRunning) -> None:
        self.status.advance("running")

    def _late(self, _event: HeartbeatLate) -> None:
        self._on_change()

    def _down(self, event: Down) -> None:
        self._gaps = self._gaps + 1 if event.reason == "gap" else 0
        advice = "its numbers contradict each other: format it. Last: " if self._gaps >= MOST_GAPS else ""
        text = f"{self.name} on port {self.settings.port}: {advice}{event.text}"
        absence = ABSENCE_ERRORS.get(event.reason)
        raise absence(text) if absence else DeviceFault(event.reason, text)

    def _refused(self, event: DeviceRefused) -> None:
        raise Refused(event.reason, f"{self.name} on port {self.settings.port}: {event.text}")


_HANDLERS: dict[type, Callable[[Device, Any], None]] = {
    DeviceUp: Device._up,
    DeviceEvent: Device._event_arrived,
    DeviceRunning: Device._running,
    HeartbeatLate: Device._late,
    Down: Device._down,
    DeviceRefused: Device._refused,
}
"""What a device does about an event of its link before it delivers it."""
