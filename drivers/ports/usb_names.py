"""Names of USB ports. Whom they name is identified, not a number that moves with every plug.

`usb://VENDOR:PRODUCT/SERIAL`: ids of four hexadecimal digits, the serial number as the device's string
descriptor has it. `usb://path/ID_PATH`: whatever hangs on that socket of that hub, as udev calls it.
"""

import re
from dataclasses import dataclass

SCHEME = "usb://"
ALLOWED = "usb://VENDOR:PRODUCT/SERIAL (ids of four hexadecimal digits) or usb://path/ID_PATH"
VENDOR = 0x1209
PRODUCT = 0x0001
"""A device with a vendor interface. Both ids are for prototypes and simulators (pid.codes' own test ids):
who sells a device takes ids of its own, in its name and in systemd/60-tableside.rules."""
CDC_PRODUCT = 0x0002
"""The same device when it is a ttyACM."""
_SERIAL = re.compile(r"usb://([0-9A-Fa-f]{4}):([0-9A-Fa-f]{4})/([!-~]{1,126})")
_PATH = re.compile(r"usb://path/([!-~]{1,255})")


@dataclass(frozen=True, slots=True)
class BySerial:
    """One device, wherever it is plugged in."""

    vendor: int
    product: int
    serial: str

    def __str__(self) -> str:
        return f"{SCHEME}{self.vendor:04x}:{self.product:04x}/{self.serial}"


@dataclass(frozen=True, slots=True)
class ByPath:
    """One socket, whatever is plugged into it; `path` is udev's ID_PATH of a usb_device."""

    path: str

    def __str__(self) -> str:
        return f"{SCHEME}path/{self.path}"


UsbAddress = BySerial | ByPath


def usb_address(name: str) -> UsbAddress:
    """Whom the name of a port means. Raises ValueError with what is allowed."""
    if found := _PATH.fullmatch(name):
        return ByPath(found[1])
    if found := _SERIAL.fullmatch(name):
        return BySerial(int(found[1], 16), int(found[2], 16), found[3])
    raise ValueError(f"{name} is no USB port; allowed are {ALLOWED}")
