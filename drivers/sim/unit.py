"""A whole simulated device without a port: body, the device's end of the link, memory and cable.

Pure like its parts: bytes in and out, the time passed in. `run` serves it on a pty, `virtual` in virtual
time.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from drivers.link.facts import SIMULATOR_HARDWARE
from drivers.link.limits import Timing
from drivers.messages import EventBody
from drivers.protocol.codes import Reset
from drivers.sim.body import SimulatedBody
from drivers.sim.cable import Cable, Faults
from drivers.sim.enclosure import Enclosure
from drivers.sim.flash import Flash, PowerLost
from drivers.sim.kinds import KINDS, Settings
from drivers.sim.link.device import DeviceIdentity, DeviceLink
from drivers.sim.link.memory import Memory
from drivers.sim.link.randomness import DeviceRandom, Provisioning
from drivers.sim.link.slots import Slots
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import (
    ChoiceField,
    FlagField,
    IntegerField,
    NumberField,
    RequestError,
    Response,
    Verb,
    perform,
)

FACTORY = 1, b"as it left the factory"
"""Version and image of a device that was never updated."""
LONGEST_FIRMWARE = 12
MOST_WRITES = 1_000_000
LONGEST = 3_600.0
FOR_EVER = float("inf")
RESETS = {
    "power": Reset.POWER,
    "watchdog": Reset.WATCHDOG,
    "software": Reset.SOFTWARE,
    "brown-out": Reset.BROWN_OUT,
}
GOOD = Faults()
_CHANCES = ("drop", "flip", "duplicate", "split", "stall")


class DeviceEnd(Protocol):
    """The device's end of a line, from boot to loss of power."""

    def feed(self, data: bytes, now: float) -> None: ...

    def tick(self, now: float) -> None:
        """Handles time-outs."""

    def take(self, now: float) -> bytes:
        """Everything that is to be written now."""

    def deadline(self, now: float) -> float:
        """When `tick` and `take` must run at the latest."""

    def record(self, event: EventBody, now: float) -> object:
        """Stores an event and sends it."""


class Unit:
    """One device on one cable. Call `tick`, then `transmit`, after `receive`, after `ask`, and at
    `deadline`.

    `random` gives random bits of its hardware. With the public key of its `maker`, its firmware can be
    updated, and with its `root` key that of the maker replaced. `memory`, `provisioning` and `flash` outlive
    the unit.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        memory: Memory,
        surroundings: PhysicalState,
        random: Callable[[int], bytes],
        now: float,
        provisioning: Provisioning | None = None,
        faults: Faults = GOOD,
        baud: int = 0,
        maker: bytes = b"",
        root: bytes = b"",
        flash: Flash | None = None,
    ) -> None:
        self.flash = flash or Flash()
        self.slots = _slots(settings, self.flash, maker, root) if maker else None
        self.settings = settings
        self.memory = memory
        self.toward_host = self._cable(f"{settings.seed}/{settings.kind}/out", faults, baud)
        self.toward_device = self._cable(f"{settings.seed}/{settings.kind}/in", faults, baud)
        self._random, self._provisioning = random, provisioning or Provisioning()
        self._timing = Timing(baud=baud)
        self._now = now
        self._notices: deque[dict[str, Any]] = deque()
        self._off_until = self._frozen_until = self._unplugged_until = now
        self._reset = Reset.POWER
        self._link: DeviceEnd | None = None
        self.body = self._build(surroundings)
        self.enclosure = Enclosure(surroundings, self.record)
        self._verbs = {**self.body.verbs, **self.enclosure.verbs, **self._own_verbs()}
        self._try_to_boot(now)

    @property
    def plugged(self) -> bool:
        return self._now >= self._unplugged_until

    @property
    def running(self) -> bool:
        """The processor has power and is not frozen."""
        return self._link is not None and self._now >= self._frozen_until

    def receive(self, data: bytes, now: float) -> None:
        """Bytes from the host enter the cable."""
        self._now = now
        if self.plugged and self._link is not None:
            self.toward_device.put(data, now)

    def tick(self, now: float) -> None:
        """Does what is due."""
        self._now = now
        if self._link is None and now >= self._off_until:
            self._try_to_boot(now)
        if self._link is not None and self.running:
            self._work(self._link, now)

    def transmit(self, now: float) -> bytes:
        """Bytes that reach the host now."""
        self._now = now
        if self._link is not None and self.running:
            self.toward_host.put(self._link.take(now), now)
            if isinstance(self._link, DeviceLink) and self._link.restarts:
                self._restart(now, Reset.UPDATE)
        if not self.plugged:
            self.toward_host.cut()
        return self.toward_host.take(now)

    def deadline(self, now: float) -> float:
        """When `tick` and `transmit` must be called at the latest."""
        self._now = now
        waits = [until for until in (self._unplugged_until, self._frozen_until) if until > now]
        if self._link is None:
            waits.append(self._off_until)
        elif self.running:
            waits += [self._link.deadline(now), self.body.deadline, self.toward_device.deadline]
        return min([*waits, self.toward_host.deadline])

    def ask(self, request: object, now: float) -> Response:
        """Carries a request of the control socket out; raises RequestError."""
        self._now = now
        return perform(self._verbs, request, now)

    def look(self) -> list[dict[str, Any]]:
        """Notices for a client that has just connected."""
        cable = {"notice": "cable", "plugged": self.plugged}
        power = {"notice": "power", "on": self._link is not None}
        return [{**notice, "at": self._now} for notice in (*self.body.look(), cable, power)]

    def notices(self) -> list[dict[str, Any]]:
        """Notices since the last call."""
        seen = list(self._notices)
        self._notices.clear()
        return seen

    def record(self, event: EventBody, now: float) -> None:
        if self._link is not None:
            self._link.record(event, now)

    def say(self, notice: str, **fields: Any) -> None:
        self._notices.append({"notice": notice, **fields, "at": self._now})

    def _own_verbs(self) -> dict[str, Verb]:
        seconds = NumberField(LONGEST, 1.0)
        chances = {name: NumberField(1.0, None) for name in _CHANCES}
        way = ChoiceField(("in", "out", "both"), "both")
        return {
            "fault": Verb(
                self._fault, {**chances, "stall_seconds": NumberField(60.0, None), "direction": way}
            ),
            "counts": Verb(self._counts),
            "reboot": Verb(
                self._reboot,
                {"seconds": NumberField(LONGEST, None), "reset": ChoiceField(tuple(RESETS), "power")},
            ),
            "power": Verb(self._power, {"on": FlagField()}),
            "hang-up": Verb(self._hang_up, {"seconds": seconds}),
            "cable": Verb(self._plug_cable, {"plugged": FlagField()}),
            "freeze": Verb(self._freeze, {"seconds": seconds}),
            "format": Verb(self._format),
            "rewind": Verb(self._rewind),
            "fail-flash": Verb(self._fail_flash, {"write": IntegerField(1, MOST_WRITES)}),
        }

    def _fault(self, _now: float, direction: str, **knobs: float | None) -> None:
        turned = {name: value for name, value in knobs.items() if value is not None}
        for side, cable in (("in", self.toward_device), ("out", self.toward_host)):
            if direction in (side, "both"):
                cable.faults = replace(cable.faults, **turned)

    def _counts(self, _now: float) -> Response:
        return {"in": dict(self.toward_device.counts), "out": dict(self.toward_host.counts)}

    def _reboot(self, now: float, seconds: float | None, reset: str) -> None:
        self._restart(now, RESETS[reset], seconds)

    def _restart(self, now: float, reset: Reset, seconds: float | None = None) -> None:
        self._power_off(now)
        self._reset = reset
        self._off_until = now + (self.settings.tempo.boot if seconds is None else seconds)

    def _fail_flash(self, _now: float, write: int) -> None:
        self.flash.fail_at(write)

    def _hang_up(self, now: float, seconds: float) -> None:
        self._unplugged_until = now + seconds
        self.toward_device.cut()
        self.say("cable", plugged=False)

    def _plug_cable(self, now: float, plugged: bool) -> None:
        """Pulls the cable until it is plugged in again."""
        if plugged:
            self._unplugged_until = now
        elif self.plugged:
            self._hang_up(now, FOR_EVER)

    def _power(self, now: float, on: bool) -> None:
        """Takes the power away until it is switched on again."""
        if not on:
            self._power_off(now)
            self._reset, self._off_until = Reset.POWER, FOR_EVER
        elif self._off_until == FOR_EVER:
            self._off_until = now + self.settings.tempo.boot

    def _freeze(self, now: float, seconds: float) -> None:
        self._frozen_until = now + seconds

    def _format(self, now: float) -> None:
        if self._link is None:
            raise RequestError("format: the device is off")
        self._power_off(now)
        self.body.forget()
        self.memory.format()
        self._notices += self.look()  # much of it is new: a shoe counts its cards from 1 again
        self._reset, self._off_until = Reset.POWER, now

    def _rewind(self, now: float) -> None:
        """Somebody copies the provisioning record back as it was before the last boot."""
        self._provisioning.rewind()
        self._restart(now, Reset.POWER, 0.0)

    def _power_off(self, now: float) -> None:
        if self._link is not None:
            self.say("power", on=False)
        self._link = None
        self.toward_device.cut()
        self.body.power_off(now)

    def _cable(self, seed: str, faults: Faults, baud: int) -> Cable:
        return Cable(seed, faults, baud)

    def _build(self, surroundings: PhysicalState) -> SimulatedBody:
        return KINDS[self.settings.kind].build(self, self.settings, self.memory, surroundings)

    def _work(self, link: DeviceEnd, now: float) -> None:
        try:
            link.feed(self.toward_device.take(now), now)
            link.tick(now)
            self.body.tick(now)
        except PowerLost:
            self._restart(now, Reset.POWER)

    def _try_to_boot(self, now: float) -> None:
        try:
            self._boot(now)
        except PowerLost:
            self._restart(now, Reset.POWER)

    def _boot(self, now: float) -> None:
        if self.slots and not self.slots.start():
            self._off_until = FOR_EVER
            return
        self._link = self._start(now)
        self.say("power", on=True)
        self.enclosure.boot(now)
        self.body.boot(now)

    def _start(self, now: float) -> DeviceEnd:
        kind = KINDS[self.settings.kind]
        version = self.slots.version if self.slots else FACTORY[0]
        firmware = f"{version}.0.0"[:LONGEST_FIRMWARE]
        identity = DeviceIdentity(kind.device_class, self.settings.serial, SIMULATOR_HARDWARE, firmware)
        return DeviceLink(
            identity,
            self.memory,
            self.body,
            random=DeviceRandom(self._provisioning, self._random),
            reset=self._reset,
            now=now,
            timing=self._timing,
            slots=self.slots,
        )


def _slots(settings: Settings, flash: Flash, maker: bytes, root: bytes) -> Slots:
    return Slots(flash, KINDS[settings.kind].device_class, maker, FACTORY, root=root)
