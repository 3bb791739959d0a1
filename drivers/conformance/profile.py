"""What a device has and what it leaves out (section 20 of firmware-protocol/README.md), as its maker declares
it in a TOML file."""

import tomllib
from dataclasses import dataclass, fields
from typing import Any

from drivers.protocol.codes import DeviceClass

CLASSES = {member.name.lower(): member for member in DeviceClass}
LEAST_RING = {
    DeviceClass.SHOE: 1024,
    DeviceClass.SHUFFLER: 256,
    DeviceClass.SENSORS: 1024,
    DeviceClass.DISPLAY: 128,
    DeviceClass.CONSOLE: 256,
}
"""The least slots of the ring, by class."""
MOST_WINDOW = 8
MOST_RING = 2**32


class ProfileFault(ValueError):
    """The file is not a profile. The text names the key and what is allowed."""


@dataclass(frozen=True, slots=True)
class DeviceProfile:
    """A feature that the file does not name is absent; `window` is then 1, `ring` the least of the class."""

    device_class: DeviceClass
    ring: int
    """Slots of the ring."""
    window: int = 1
    """For how many frames it has room."""
    update: bool = False
    log: bool = False
    samples: bool = False
    doors: bool = False
    case: bool = False
    """Whether it notices that its case is opened."""
    trng: bool = False
    """Whether it has a hardware source of random bits."""

    def words(self) -> str:
        """One line for the report, the same for equal profiles."""
        found = [field.name for field in fields(self) if getattr(self, field.name) is True]
        features = ", ".join(found) or "no optional feature"
        kind = self.device_class.name.lower()
        return f"profile: {kind}, window {self.window}, ring {self.ring}, {features}"


def read_profile(text: str) -> DeviceProfile:
    """Reads a profile. Raises ProfileFault."""
    try:
        stated = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProfileFault(f"not TOML: {error}") from error
    device_class = CLASSES.get(str(stated.pop("class", "")))
    if device_class is None:
        raise ProfileFault(f"class: needed; one of {', '.join(CLASSES)}")
    features = stated.pop("features", {})
    if stated or not isinstance(features, dict):
        raise ProfileFault(f"{', '.join(stated) or 'features'}: allowed are class and a table [features]")
    return _profile(device_class, features)


def _profile(device_class: DeviceClass, features: dict[str, Any]) -> DeviceProfile:
    ranges = {"window": (1, MOST_WINDOW), "ring": (LEAST_RING[device_class], MOST_RING)}
    known = {field.name for field in fields(DeviceProfile)} - {"device_class"}
    for name, value in features.items():
        if name not in known:
            raise ProfileFault(f"features.{name}: unknown; allowed: {', '.join(sorted(known))}")
        least, most = ranges.get(name, (0, 0))
        if not most and not isinstance(value, bool):
            raise ProfileFault(f"features.{name} = {value!r}: true or false")
        if most and (type(value) is not int or not least <= value <= most):
            raise ProfileFault(f"features.{name} = {value!r}: a whole number from {least} to {most}")
    return DeviceProfile(device_class, **{"ring": LEAST_RING[device_class], **features})
