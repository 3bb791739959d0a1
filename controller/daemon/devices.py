"""The keys of a table's devices, read before anything is touched.

What speaks with each of a table's devices.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from controller.config.devices import DevicesSection
from controller.config.reading import Config, ConfigError
from drivers.adapters.options import NAMES
from drivers.devices.classes import BetSensors, DealerConsole, JackpotDisplay, Shoe, Shuffler
from drivers.devices.device import Device
from drivers.key_files import KeyFault, key_of

Keyring = dict[str, bytes]
"""For each device its key of 32 bytes, or none where it is not sealed."""


def keyring(config: Config) -> Keyring:
    """All keys. Raises ConfigError with a sentence for each that cannot be used."""
    keys: Keyring = {}
    faults: list[str] = []
    first: KeyFault | None = None
    for name, device in config.devices.present().items():
        try:
            keys[name] = key_of(name, Path(device.key)) if device.sealed else b""
        except KeyFault as fault:
            faults.append(f"devices.{name}: {fault}")
            first = first or fault
    if faults:
        raise ConfigError(tuple(faults)) from first
    return keys


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
