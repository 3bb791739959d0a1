"""What the five devices share: a port, an identity, one session at a time, and a desired state."""

import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NoReturn

from drivers.devices.reconnect import DeviceState, ReconnectTiming
from drivers.devices.status import DeviceStatus
from drivers.errors import Absent, DeviceFault, Misuse, Overslept, Refused, Unproved
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
    """The serial numbers that are connected at one table. One that answers on two ports is a copy, or a
    cable is wrong."""

    def __init__(self) -> None:
        self._ports: dict[str, str] = {}

    def other_ports(self, serial: str, port: str) -> str:
        """Where else the serial number is connected, as "on A and on B"; empty: nowhere."""
        other = self._ports.get(serial, port)
        return "" if other == port else f"on {other} and on {port}"

    def claim(self, serial: str, port: str) -> None:
        self._ports[serial] = port

    def release(self, port: str) -> None:
        self._ports = {serial: held for serial, held in self._ports.items() if held != port}


ABSENCE_ERRORS = {**dict.fromkeys(("silent", "heartbeat", "bye", "no session"), Absent), "slept": Overslept}
"""Ends of a session that are nobody's fault. Every other end is the device's fault or the line's."""

MOST_GAPS = 3
"""After so many sessions in a row that ended with a gap, the device's memory is corrupt. A single gap may
come from the line."""


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """Where a device is connected, and its identity. The baud rate is configured, never negotiated. `key`
    has 32 bytes, or is empty for `seal = none`."""

    port: str
    serial: str
    baud: int = 115_200
    key: bytes = field(default=b"", repr=False)


class Device:
    """One configured device. Its desired state outlives its sessions: each new session sends all of it."""

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
        """What the device said of itself in its last session."""
        self._bookmark, self._deliver, self._clock, self._alive = bookmark, deliver, clock, alive
        self._connected = connected or ConnectedSerials()
        self._timeouts, self._open, self._on_change = timeouts, open_transport, on_change
        self._keys = CommandKeys()
        self._wanted: dict[StateKey, CommandBody] = {}
        self._hold = self._has_met = False
        self._gaps = 0
        """How many sessions in a row ended with a gap in the numbers of their events."""
        self._past = Counters()
        self._transport: Transport | None = None
        self._port_counts: Counter[str] = Counter()
        self._link: HostLink | None = None
        self._shell: Shell[Any] | None = None

    async def converse(self) -> NoReturn:
        """Opens the port, identifies the device and serves it until something ends that.

        Raises Absent (no port, unplugged, silent), Refused (another device than configured, or not trusted;
        Unproved if the device has not proved its key) or DeviceFault (it broke the protocol). Each names the
        device and the port.
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
        """A sentence for a technician, or empty. It stands until a session is up."""
        late = self._link is not None and self._link.late(self._clock())
        return f"no heartbeat for {self.heartbeat_age:.1f} s" if late else self.status.detail

    def commit(self, number: int) -> None:
        """All events up to `number` are in the journal, on disk."""
        if self._link:
            self._link.commit(number)
            self._pump()

    def reserve_key(self) -> int:
        """A new action key, above all that the journal and the device know. Journal it, then use it."""
        self._keys.skip_to(self._bookmark().last_key)
        return self._keys.next()

    def act(self, key: int, record: CommandBody) -> None:
        """Has an action done once. Its key is in the journal, and ActionEnded reports the result.

        Without a session nothing is sent. The next session recalls the actions that are open in the
        journal.
        """
        self._check(record)
        if self._link:
            self._link.act(key, record)
            self._pump()

    def poll(self) -> None:
        """Serves the session while the event loop is blocked; see Shell.poll."""
        if self._shell:
            self._shell.poll()

    def resume(self) -> None:
        """Handles the events that `poll` collected, once the loop runs again."""
        if self._shell:
            self._shell.resume()

    def clear(self) -> None:
        """Lets the device be armed again, in a new session: a person has looked at a critical event that
        nobody could read."""
        self._hold = False

    @property
    def counters(self) -> Counters:
        """The counts of all links of this device."""
        return total(self._past, self._link.counters) if self._link else self._past

    @property
    def heartbeat(self) -> Heartbeat | None:
        """The device's last heartbeat. None without a session."""
        return self._link.peer if self._link else None

    @property
    def port_counts(self) -> Mapping[str, int]:
        """The counts of all its ports."""
        return self._port_counts + Counter(self._transport.counts if self._transport else {})

    @property
    def heartbeat_age(self) -> float | None:
        """Seconds since the last heartbeat. None without a session."""
        return self._link.heartbeat_age(self._clock()) if self._link else None

    def want(self, record: CommandBody) -> None:
        """Adds a command to the desired state. It goes out now if a session is up, and in each later session.

        A command of a moment (a buzz, a celebration, a stop) goes out now or never.
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
        """Whether the desired state has a command with this key."""
        return key in self._wanted

    def log_changed(self) -> None:
        """Called when the device has another log than in the last session."""

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
            timing=Timing(baud=self.settings.baud, on_grid=True),
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
        text = f"{self.name} on port {self.settings.port}: {event.text}"
        if not event.proved:
            raise Unproved(event.reason, f"{text} (unproved)")
        raise Refused(event.reason, text)


_HANDLERS: dict[type, Callable[[Device, Any], None]] = {
    DeviceUp: Device._up,
    DeviceEvent: Device._event_arrived,
    DeviceRunning: Device._running,
    HeartbeatLate: Device._late,
    Down: Device._down,
    DeviceRefused: Device._refused,
}
"""What a device does about an event of its link before it delivers the event."""
