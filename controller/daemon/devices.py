"""The keys of a table's devices, read before any port is opened, and the class that drives each device."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from controller.config import Config, ConfigError, DevicesSection
from drivers.adapters.options import NAMES
from drivers.devices.classes import BetSensors, DealerConsole, JackpotDisplay, Shoe, Shuffler
from drivers.devices.device import Device
from drivers.key_files import KeyFault, device_key

DeviceKeys = dict[str, bytes]
"""The key of each device by name: 32 bytes, or empty if the device is not sealed."""


def read_keys(config: Config) -> DeviceKeys:
    """The keys of all configured devices. Raises ConfigError with a sentence for each key that cannot be
    used."""
    keys: DeviceKeys = {}
    faults: list[str] = []
    first: KeyFault | None = None
    for name, device in config.devices.configured().items():
        try:
            keys[name] = device_key(name, Path(device.key)) if device.sealed else b""
        except KeyFault as fault:
            faults.append(f"devices.{name}: {fault}")
            first = first or fault
    if faults:
        raise ConfigError(tuple(faults)) from first
    return keys


TSL_DEVICES: Mapping[str, type[Device]] = {
    "shoe": Shoe,
    "sensors": BetSensors,
    "console": DealerConsole,
    "shuffler": Shuffler,
    "display": JackpotDisplay,
}


def device_factory(devices: DevicesSection, name: str) -> Callable[..., Device]:
    shoe = devices.shoe
    if name != "shoe" or shoe.adapter not in NAMES:
        return TSL_DEVICES[name]
    from drivers.adapters.makes import ADAPTERS  # half a megabyte that most tables do not need

    return partial(ADAPTERS[shoe.adapter].shoe, shoe.adapter_options())
