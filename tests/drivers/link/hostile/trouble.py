"""How bad a world is: the chances of faults for each frame, and of mishaps for each moment."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.drivers.link.hostile.line import Faults

GOOD = Faults()


@dataclass(frozen=True, slots=True)
class Trouble:
    """Good by default. `disk`: the most seconds that a write takes; `power_goes`: the chance that an action
    is the last thing that its device does."""

    faults: Faults = GOOD
    host_dies: float = 0.0
    device_dies: float = 0.0
    cable_pulled: float = 0.0
    somebody_sleeps: float = 0.0
    attack: float = 0.0
    power_goes: float = 0.0
    disk: float = 0.005

    def strikes(self, random: Random) -> Iterator[str]:
        """What happens to the ends in this moment."""
        for what, name in _NAMES.items():
            chance = getattr(self, name)
            if chance and random.random() < chance:
                yield what


_NAMES = {
    what: what.replace(" ", "_")
    for what in ("host dies", "device dies", "cable pulled", "somebody sleeps", "attack")
}
NOISY = Trouble(Faults(drop=0.02, flip=0.02, duplicate=0.02, split=0.05, stall=0.005), disk=0.03)
FALLING = Trouble(
    Faults(drop=0.01, flip=0.01, duplicate=0.02, split=0.05),
    host_dies=0.002,
    device_dies=0.002,
    cable_pulled=0.001,
    somebody_sleeps=0.0003,
    power_goes=0.05,
    disk=0.1,
)
BESIEGED = Trouble(Faults(drop=0.01, duplicate=0.01), attack=0.05, device_dies=0.0005, disk=0.03)
WORST = Trouble(
    Faults(drop=0.05, flip=0.05, duplicate=0.05, split=0.1, stall=0.01),
    host_dies=0.001,
    device_dies=0.001,
    cable_pulled=0.0005,
    somebody_sleeps=0.0002,
    attack=0.02,
    power_goes=0.02,
    disk=0.2,
)
TROUBLES = {"noisy": NOISY, "falling": FALLING, "besieged": BESIEGED, "worst": WORST}
