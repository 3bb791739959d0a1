"""What speaks with each of a table's devices."""

from collections.abc import Callable, Mapping
from functools import partial

from controller.config_devices import DevicesSection
from drivers.adapters.names import NAMES
from drivers.bet_sensors import BetSensors
from drivers.dealer_console import DealerConsole
from drivers.device import Device
from drivers.jackpot_display import JackpotDisplay
from drivers.shoe import Shoe
from drivers.shuffler import Shuffler

OURS: Mapping[str, type[Device]] = {
    "shoe": Shoe,
    "sensors": BetSensors,
    "console": DealerConsole,
    "shuffler": Shuffler,
    "display": JackpotDisplay,
}


def device_class(devices: DevicesSection, name: str) -> Callable[..., Device]:
    """What makes the device of this name."""
    shoe = devices.shoe
    if name != "shoe" or shoe.adapter not in NAMES:
        return OURS[name]
    from drivers.adapters.makes import MAKES  # half a megabyte that most tables have no use for

    return partial(MAKES[shoe.adapter].shoe, shoe.adapter_options())
