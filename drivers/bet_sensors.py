"""The bet sensors: wagers on the spots, and the spots' lamps."""

from drivers.device import Device
from drivers.errors import Misuse
from drivers.messages import Lamps
from drivers.protocol.codes import LAMPS, DeviceClass

LEASE_MS = 6000
"""How long lamps stand without us; renewed at half of it. At most 10,000."""


class BetSensors(Device):
    """Events: wager, sensor fault."""

    device_class = DeviceClass.SENSORS

    def show(self, lamps: bytes) -> None:
        """One byte (codes.Lamp) for each spot, at 6 x (seat - 1) + spot; the lease renews itself."""
        if len(lamps) != LAMPS:
            raise Misuse(f"{self.name}: {len(lamps)} lamps, must be {LAMPS}")
        self.want(Lamps(LEASE_MS, lamps))
