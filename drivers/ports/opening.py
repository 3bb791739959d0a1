"""Opens a port by the name that the configuration gives it."""

from drivers.errors import Absent
from drivers.ports.names import transport_kind
from drivers.ports.serial_port import open_serial
from drivers.ports.transport import Transport


async def open_port(name: str, baud: int = 115_200) -> Transport:
    """Open the port exclusively. Raises Absent with the port's name and the reason."""
    try:
        kind = transport_kind(name)
    except ValueError as error:
        raise Absent(f"port {name} cannot be opened: {error}") from error
    if kind == "serial":
        return await open_serial(name, baud)
    from drivers.ports.usb_port import open_usb  # only USB ports need libusb and udev

    return await open_usb(name)
