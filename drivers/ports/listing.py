"""What is plugged into this machine, found without opening anything."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyudev
from serial.tools import list_ports

from drivers.ports.names import ByPath, BySerial

LINKS = "/dev/serial"
"""Where udev keeps lasting names of serial ports: by-id and by-path."""
VENDOR_INTERFACE = ":ff"
"""How a vendor-specific interface begins in udev's ID_USB_INTERFACES."""


@dataclass(frozen=True, slots=True)
class ListedPort:
    """A port, with the name that a configuration would use now, and names that stay the same."""

    port: str
    names: tuple[str, ...] = ()
    what: str = ""
    """Maker and product, as the device names them."""
    serial: str = ""
    """Its USB serial number, which need not be the one in its Hello."""
    usb: str = ""
    """Vendor and product, "0403:6001". Empty for ports that are not on USB."""
    place: str = ""
    """The socket: udev's ID_PATH, else the bus and its sockets."""
    meddled: bool = False
    """ModemManager may open it and write to it."""


def find_ports(links: Path = Path(LINKS)) -> tuple[ListedPort, ...]:
    """Finds serial ports that have hardware behind them, then USB devices with a vendor interface."""
    context = _context()
    aliases = _aliases(links)
    ports = sorted(list_ports.comports(), key=lambda port: str(port.device))
    serial = (_serial(port, context, aliases.get(str(port.device), ())) for port in ports)
    serial_paths = frozenset(str(vars(port).get("usb_device_path")) for port in ports)
    return (*serial, *(_vendor_interfaces(context, serial_paths) if context else ()))


def _context() -> pyudev.Context | None:
    """None on a machine without udev's library."""
    try:
        return pyudev.Context()
    except (ImportError, OSError):
        return None


def _serial(port: Any, context: pyudev.Context | None, names: tuple[str, ...]) -> ListedPort:
    """Describes a port of pyserial."""
    properties = _properties(context, str(port.name))
    on_usb = port.vid is not None
    return ListedPort(
        str(port.device),
        names,
        what=" ".join(filter(None, (port.manufacturer, port.product))),
        serial=port.serial_number or "",
        usb=f"{port.vid:04x}:{port.pid:04x}" if on_usb else "",
        place=properties.get("ID_PATH") or port.location or "",
        meddled=on_usb and "ID_MM_DEVICE_IGNORE" not in properties,
    )


def _properties(context: pyudev.Context | None, name: str) -> dict[str, str]:
    """What udev knows of a tty. Empty where udev does not run."""
    if context is None:
        return {}
    try:
        return dict(pyudev.Devices.from_name(context, "tty", name).properties)
    except pyudev.DeviceNotFoundError:
        return {}


def _aliases(links: Path) -> dict[str, tuple[str, ...]]:
    """Maps each port to its lasting names."""
    found: dict[str, tuple[str, ...]] = {}
    for link in sorted(links.glob("by-*/*")):
        port = str(link.resolve())
        found[port] = (*found.get(port, ()), str(link))
    return found


def _vendor_interfaces(context: pyudev.Context, serial_paths: frozenset[str]) -> Iterator[ListedPort]:
    """Finds vendor interfaces. `serial_paths` are the kernel's paths of devices that already are serial
    ports, as many adapters are."""
    for device in context.list_devices(subsystem="usb", DEVTYPE="usb_device"):
        properties = device.properties
        if device.sys_path in serial_paths or VENDOR_INTERFACE not in properties.get("ID_USB_INTERFACES", ""):
            continue
        vendor, product = int(properties["ID_VENDOR_ID"], 16), int(properties["ID_MODEL_ID"], 16)
        serial, path = properties.get("ID_SERIAL_SHORT", ""), properties.get("ID_PATH", "")
        names = [str(BySerial(vendor, product, serial))] if serial else []
        names += [str(ByPath(path))] if path else []
        yield ListedPort(
            names[0] if names else str(device.device_node),
            tuple(names[1:]),
            what=" ".join(filter(None, (properties.get("ID_VENDOR"), properties.get("ID_MODEL")))),
            serial=serial,
            usb=f"{vendor:04x}:{product:04x}",
            place=path,
        )
