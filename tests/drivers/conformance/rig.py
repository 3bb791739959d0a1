"""A simulated device under test in virtual time, with an operator."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from drivers.conformance.check import Check
from drivers.conformance.checks import CHECKS, checks_of
from drivers.conformance.operator import OperatorAction, OperatorCheck
from drivers.conformance.outcome import NotRun
from drivers.conformance.probe import Probe
from drivers.conformance.runner import CheckReport, run
from drivers.conformance.subject import DeviceUnderTest
from drivers.sim.kinds import KINDS, Settings
from drivers.sim.link.memory import Memory
from drivers.sim.link.randomness import Provisioning
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import RequestError
from drivers.sim.unit import Unit
from drivers.sim.virtual import SMALLEST_STEP

SERIAL = "TS-1"
KEY = bytes(range(1, 33))
MAKER = Ed25519PrivateKey.from_private_bytes(KEY).public_key().public_bytes_raw()
"""The key whose signature the device demands."""


class Device(Protocol):
    """The interface of a unit of drivers/sim to a port and a hand."""

    def receive(self, data: bytes, now: float) -> None:
        """Bytes come in."""

    def tick(self, now: float) -> None:
        """Handles what is due."""

    def transmit(self, now: float) -> bytes:
        """The bytes that go out now."""

    def deadline(self, now: float) -> float:
        """When it wants to run."""

    def ask(self, request: object, now: float) -> object:
        """Does what a hand asks. Raises RequestError."""

    def look(self) -> Sequence[Mapping[str, Any]]:
        """The notices that describe the device now."""


class UnitWire:
    """A device's port, on a clock that only reads move."""

    def __init__(self, unit: Device, now: float = 0.0) -> None:
        self.unit = unit
        self._now = now

    def now(self) -> float:
        return self._now

    def write(self, data: bytes) -> None:
        self.unit.receive(data, self._now)

    async def read(self, until: float) -> bytes:
        while True:
            self.unit.tick(self._now)
            if came := self.unit.transmit(self._now):
                return came
            if self._now >= until:
                return b""
            self._now = min(until, max(self.unit.deadline(self._now), self._now + SMALLEST_STEP))

    async def reopen(self, within: float) -> None:
        pass


class UnitHand:
    """Acts on a device like a control socket."""

    tireless = True

    def __init__(self, wire: UnitWire) -> None:
        self._wire = wire
        self._seen: dict[str, Mapping[str, Any]] = {}

    async def perform(self, action: OperatorAction) -> bool:
        try:
            self._wire.unit.ask(action.request, self._wire.now())
        except RequestError:
            return False
        return True

    async def confirm(self, check: OperatorCheck) -> bool:
        self._seen.update({notice["notice"]: notice for notice in self._wire.unit.look()})
        if check.notice not in self._seen:
            raise NotRun(check.question)
        return check.shows(self._seen[check.notice])


def unit(kind: str, *, key: bytes = b"", baud: int = 0, random: Callable[[int], bytes] | None = None) -> Unit:
    return Unit(
        Settings(kind, SERIAL, decks=1),
        memory=Memory(),
        surroundings=PhysicalState(),
        random=random or Random(1).randbytes,
        now=0.0,
        provisioning=Provisioning(key),
        baud=baud,
        maker=MAKER,
    )


async def report(device: Unit, *only: str, key: bytes = b"", baud: int = 0) -> CheckReport:
    kind = KINDS[device.settings.kind].device_class
    chosen = [check for check in checks_of(kind) if not only or check.name in only]
    assert len(chosen) == len(only) or not only, set(only) - {check.name for check in CHECKS}
    return await examined(device, DeviceUnderTest(kind, SERIAL, key, baud), chosen, frozenset(only))


async def examined(
    device: Device, subject: DeviceUnderTest, checks: Sequence[Check], named: frozenset[str] = frozenset()
) -> CheckReport:
    wire = UnitWire(device)
    return await run(Probe(wire, subject, UnitHand(wire)), checks, named, lambda _: None)
