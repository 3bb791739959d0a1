"""The keys of a table's devices, read before anything is touched."""

from pathlib import Path

from controller.config import Config, ConfigError
from drivers.provisioning import KeyFault, key_of

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
