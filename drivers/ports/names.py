"""Names of ports: what a configuration may contain, and which transport each name means.

A USB name identifies a device or a socket, because the numbers of USB devices change with every plug.
`usb://VENDOR:PRODUCT/SERIAL` has ids of four hexadecimal digits and the serial number of the device's string
descriptor. `usb://path/ID_PATH` means whatever is plugged into that socket of that hub, as udev calls it.
"""

import os
import re
from dataclasses import dataclass
from typing import Literal

SCHEME = "usb://"
USB_ALLOWED = "usb://VENDOR:PRODUCT/SERIAL (ids of four hexadecimal digits) or usb://path/ID_PATH"
VENDOR = 0x1209
PRODUCT = 0x0001
"""The ids of a device with a vendor interface.

They are for prototypes and simulators (pid.codes' own test ids). A maker who sells a device takes ids of
its own, in the device's name and in systemd/60-tableside.rules.
"""
CDC_PRODUCT = 0x0002
"""The product id of the same device as a ttyACM."""
_SERIAL = re.compile(r"usb://([0-9A-Fa-f]{4}):([0-9A-Fa-f]{4})/([!-~]{1,126})")
_PATH = re.compile(r"usb://path/([!-~]{1,255})")
PSEUDO_TERMINALS = "/dev/pts/"
ALLOWED = f"the path of a serial port, socket://HOST:PORT, {USB_ALLOWED}"
TransportKind = Literal["serial", "usb"]
_SOCKET = re.compile(r"socket://[^/]+:[0-9]{1,5}")


def transport_kind(name: str) -> TransportKind:
    """How a port is opened: "usb", or "serial" for paths and device servers.

    Raises ValueError for any other name, with the names that are allowed.
    """
    if name.startswith(SCHEME):
        usb_address(name)
        return "usb"
    if not name or ("://" in name and not _SOCKET.fullmatch(name)):
        raise ValueError(f"{name!r} is not a port; allowed: {ALLOWED}")
    return "serial"


def line_rate(name: str, baud: int) -> int:
    """The rate that gives the line time of a port (section 4 of the protocol).

    It is the configured one on a serial line, also behind a device server. A USB vendor interface and a
    pseudo-terminal have none: 0.
    """
    if transport_kind(name) == "usb" or os.path.realpath(name).startswith(PSEUDO_TERMINALS):
        return 0
    return baud


@dataclass(frozen=True, slots=True)
class BySerial:
    """One device, in whichever socket it is."""

    vendor: int
    product: int
    serial: str

    def __str__(self) -> str:
        return f"{SCHEME}{self.vendor:04x}:{self.product:04x}/{self.serial}"


@dataclass(frozen=True, slots=True)
class ByPath:
    """One socket, with whichever device in it. `path` is udev's ID_PATH of a usb_device."""

    path: str

    def __str__(self) -> str:
        return f"{SCHEME}path/{self.path}"


UsbAddress = BySerial | ByPath


def usb_address(name: str) -> UsbAddress:
    """Parses the name of a USB port. Raises ValueError with the names that are allowed."""
    if found := _PATH.fullmatch(name):
        return ByPath(found[1])
    if found := _SERIAL.fullmatch(name):
        return BySerial(int(found[1], 16), int(found[2], 16), found[3])
    raise ValueError(f"{name} is not a USB port; allowed: {USB_ALLOWED}")
