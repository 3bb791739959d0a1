"""A device that can be updated follows its scripts."""

from dataclasses import replace

import pytest

from drivers.protocol.codes import DeviceClass
from drivers.sim.flash import Flash
from drivers.sim.link.slots import OTHER, Slots

from .bench import StepResult, play
from .test_devices import Device
from .vectors import Vector, load, name_of


@pytest.mark.parametrize("vector", load("device-update"), ids=name_of)
def test_an_updatable_device_follows_each_script_of_the_vectors(vector: Vector) -> None:
    play(vector, UpdatableDevice(vector))


class UpdatableDevice(Device):
    """A device with two slots of firmware on a flash that survives its reboots."""

    def __init__(self, vector: Vector) -> None:
        self._known, self._flash = vector["update"], Flash()
        super().__init__(vector)

    def tick(self, now: float, happened: StepResult) -> None:
        super().tick(now, happened)
        happened.restarts = self._link.restarts

    def _reboot(self, facts: Vector, now: float) -> None:
        self._slots = Slots(
            self._flash,
            DeviceClass.SHOE,
            bytes.fromhex(self._known["public_key"]),
            (self._known["version"], b"factory"),
            root=bytes.fromhex(self._known["root_key"]),
        )
        if not self._slots.start():
            self._off = True
            return
        self._identity = replace(self._identity, firmware=self._known["firmware"][str(self._slots.version)])
        super()._reboot(facts, now)

    def _damage(self, slot: str, _now: float) -> None:
        assert self._slots
        name = self._slots.good if slot == "good" else OTHER[self._slots.good]
        image = bytearray(self._flash.read(name))
        image[0] ^= 1
        self._flash.write(name, 0, bytes(image))
