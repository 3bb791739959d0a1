"""The device's end of the link follows its scripts."""

from collections.abc import Callable
from dataclasses import asdict
from math import inf

import pytest

from drivers import messages as m
from drivers.messages import COMMANDS, EVENTS, CommandBody
from drivers.protocol.codes import DeviceClass, Reset, Status
from drivers.sim.link.device import BodyVitals, DeviceIdentity, DeviceLink
from drivers.sim.link.memory import Memory
from drivers.sim.link.randomness import DeviceRandom, Provisioning
from drivers.sim.link.slots import Slots

from .bench import Side, StepResult, play, steps_of
from .firmware import FirmwareDevice, Program
from .vectors import Vector, load, name_of

NAMES = {record: name for name, record in COMMANDS.items()}


FILES = ("device-handshake", "device-events", "device-commands", "device-ranges", "sealed-device")


@pytest.mark.parametrize("vector", load(*FILES), ids=name_of)
@pytest.mark.parametrize("language", ["python", "c"])
def test_a_device_follows_each_script_of_the_vectors(
    vector: Vector, language: str, firmware: Program
) -> None:
    play(vector, MAKERS[language](vector, firmware))


class PowerCutError(Exception):
    """The script cut the power."""


class Machinery:
    """Carries out its commands and reports them."""

    def __init__(self) -> None:
        self.reports: list[Vector] = []
        self.power_goes = False

    def command(self, record: CommandBody, now: float) -> tuple[Status, str]:
        if self.power_goes:
            raise PowerCutError(f"at {now} s, in {record}")
        fields = {
            name: value.hex() if isinstance(value, bytes) else value for name, value in asdict(record).items()
        }
        self.reports.append({"command": {NAMES[type(record)]: fields}})
        return Status.DONE, ""

    def arm(self, _now: float) -> None:
        self.reports.append({"armed": {}})

    def safe(self, _now: float) -> None:
        self.reports.append({"safe": {}})

    def vitals(self) -> BodyVitals:
        return BodyVitals()


class Device:
    """A DeviceLink on a memory that survives its reboots."""

    def __init__(self, vector: Vector) -> None:
        stated = vector["device"]
        self._identity = DeviceIdentity(
            DeviceClass(stated["device_class"]), stated["id"], stated["hardware"], stated["firmware"]
        )
        self._memory = Memory(vector["memory"]["slots"])
        provisioned = vector["provisioning"]
        self._provisioning = Provisioning(
            bytes.fromhex(vector.get("key", "")), bytes.fromhex(provisioned["seed"]), provisioned["boots"]
        )
        self._steps = steps_of(vector)
        self._slots: Slots | None = None
        self._off = False
        self._reboot({"reset": vector["reset"]}, 0.0)

    def do(self, wish: Vector, now: float) -> None:
        for name, value in wish.items():
            getattr(self, f"_{name}")(value, now)

    def feed(self, data: bytes, now: float, happened: StepResult) -> None:
        if self._off:
            return
        try:
            self._link.feed(data, now)
        except PowerCutError:
            self._off = True
        self._tell(happened)

    def tick(self, now: float, happened: StepResult) -> None:
        self._link.tick(now)
        self._tell(happened)

    def take(self, now: float) -> bytes:
        return b"" if self._off else self._link.take(now)

    def deadline(self, now: float) -> float:
        return inf if self._off else self._link.deadline(now)

    def _reboot(self, facts: Vector, now: float) -> None:
        self._body, self._off = Machinery(), False
        self._link: DeviceLink = DeviceLink(
            self._identity,
            self._memory,
            self._body,
            random=DeviceRandom(self._provisioning),
            reset=Reset(facts["reset"]),
            now=now,
            slots=self._slots,
            steps=self._steps,
        )

    def _format(self, facts: Vector, now: float) -> None:
        self._memory.format()
        self._reboot(facts, now)

    def _record(self, event: Vector, now: float) -> None:
        for name, fields in event.items():
            self._link.record(EVENTS[name](**fields), now)

    def _card(self, card: str, now: float) -> None:
        event = m.CardDrawn if self._link.permitted else m.CardUnpermitted
        self._memory.begin_card()
        with self._memory.transaction():
            self._link.record(event(self._memory.end_card(), card), now)

    def _card_begins(self, _nothing: Vector, _now: float) -> None:
        self._memory.begin_card()

    def _power_goes_at_next_action(self, _nothing: Vector, _now: float) -> None:
        self._body.power_goes = True

    def _tell(self, happened: StepResult) -> None:
        happened.reports.extend(self._body.reports)
        self._body.reports.clear()


MAKERS: dict[str, Callable[[Vector, Program], Side]] = {
    "python": lambda vector, _program: Device(vector),
    "c": FirmwareDevice,
}
