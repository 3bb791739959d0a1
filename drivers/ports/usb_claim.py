"""From the name of a USB port to its two endpoints, claimed. Everything here may block: call it in a
thread."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import libusb_package
import pyudev
import usb.core
import usb.util
from usb.backend import IBackend, libusb1

from drivers.errors import Absent
from drivers.ports.names import ByPath, BySerial, UsbAddress

VENDOR_SPECIFIC = 0xFF
ENGLISH = 0x0409
"""The language in which every device has its strings."""
REASONS = {
    errno.EBUSY: "another process or a driver of the kernel has its interface",
    errno.EACCES: "no permission: install systemd/60-tableside.rules and be in its group",
    errno.ENODEV: "it was unplugged meanwhile",
}


@dataclass(frozen=True, slots=True)
class Claimed:
    """An open device. `packet` is the most bytes of one packet to it."""

    device: Any
    backend: IBackend
    interface: int
    address_in: int
    address_out: int
    packet: int


class Context(libusb1._LibUSB):  # pyusb has no public name for it
    """libusb, from its start to its end. It ends after the last of its devices.

    pyusb's devices do not hold it. A port that was given up could thus end libusb first, and libusb crashes
    when a device of a context that has ended is released.
    """

    def enumerate_devices(self) -> Iterator[Any]:
        for device in super().enumerate_devices():
            device.context = self
            yield device


def libusb() -> IBackend:
    """libusb with a new context, which sees the devices of this moment.

    Raises Absent if there is no libusb or it cannot start.
    """
    shared = libusb1.get_backend(find_library=libusb_package.find_library) or libusb1.get_backend()
    if shared is None:
        raise Absent("libusb cannot be loaded: install the package libusb-1.0-0, allow AF_NETLINK")
    try:
        return Context(shared.lib)
    except usb.core.USBError as error:
        raise Absent(f"libusb cannot start: {error.strerror}; is there a USB, and /sys?") from error


def claim(address: UsbAddress, backend: Callable[[], IBackend] = libusb) -> Claimed:
    """Claims the vendor interface of the one device at this address. Raises Absent with address and
    reason."""
    found = _try_claim(address, backend)
    if isinstance(found, str):
        raise Absent(f"port {address} cannot be opened: {found}")
    return found


def release(claimed: Claimed) -> None:
    """Releases the device, even if it is unplugged."""
    with suppress(usb.core.USBError):
        usb.util.dispose_resources(claimed.device)


def _try_claim(address: UsbAddress, backend: Callable[[], IBackend]) -> Claimed | str:
    """Returns the device, or the reason as a value.

    An error's traceback may end in a cycle of references, and pyusb never closes what it holds there.
    """
    try:
        return _claim(_find(address, backend()))
    except usb.core.USBError as error:
        return _reason(error)
    except (LookupError, Absent) as error:
        return str(error.args[0])


def _reason(error: usb.core.USBError) -> str:
    return REASONS.get(error.errno or 0) or os.strerror(error.errno or errno.EIO)


def _find(wanted: UsbAddress, backend: IBackend) -> tuple[Any, IBackend]:
    match wanted:
        case BySerial():
            found = _by_serial(wanted, backend)
        case ByPath(path=path):
            bus, address = _address(path)
            found = list(usb.core.find(True, backend, bus=bus, address=address))
    if len(found) > 1:
        raise LookupError(f"{len(found)} devices have this name: give each its own serial number")
    if not found:
        raise LookupError("no such device is plugged in")
    return found[0], backend


def _by_serial(address: BySerial, backend: IBackend) -> list[Any]:
    """Finds devices by their serial number. A device that cannot be asked does not hide the others."""
    found, failed = [], ""
    for device in usb.core.find(True, backend, idVendor=address.vendor, idProduct=address.product):
        try:
            if _serial(device) == address.serial:
                found.append(device)
        except usb.core.USBError as error:
            failed = _reason(error)
    if failed and not found:
        raise LookupError(failed)
    return found


def _serial(device: Any) -> str | None:
    """Asks the device itself, which opens it. None for a device without a number."""
    try:
        return usb.util.get_string(device, device.iSerialNumber, ENGLISH) if device.iSerialNumber else None
    finally:
        usb.util.dispose_resources(device)


def _address(path: str) -> tuple[int, int]:
    for device in pyudev.Context().list_devices(subsystem="usb", ID_PATH=path):
        if device.device_type == "usb_device":
            return int(device.properties["BUSNUM"]), int(device.properties["DEVNUM"])
    raise LookupError("udev has no device on this path")


def _claim(found: tuple[Any, IBackend]) -> Claimed:
    device, backend = found
    try:
        interface = _interface(device)
        usb.util.claim_interface(device, interface.bInterfaceNumber)
    except BaseException:
        usb.util.dispose_resources(device)
        raise
    ins, outs = _bulk(interface, usb.util.ENDPOINT_IN), _bulk(interface, usb.util.ENDPOINT_OUT)
    return Claimed(
        device,
        backend,
        interface.bInterfaceNumber,
        ins[0].bEndpointAddress,
        outs[0].bEndpointAddress,
        outs[0].wMaxPacketSize,
    )


def _interface(device: Any) -> Any:
    for interface in device.get_active_configuration():
        ends = [_bulk(interface, way) for way in (usb.util.ENDPOINT_IN, usb.util.ENDPOINT_OUT)]
        if interface.bInterfaceClass == VENDOR_SPECIFIC and [len(end) for end in ends] == [1, 1]:
            return interface
    raise LookupError("it has no vendor interface with one bulk IN and one bulk OUT endpoint")


def _bulk(interface: Any, direction: int) -> list[Any]:
    return [
        endpoint
        for endpoint in interface
        if usb.util.endpoint_direction(endpoint.bEndpointAddress) == direction
        and usb.util.endpoint_type(endpoint.bmAttributes) == usb.util.ENDPOINT_TYPE_BULK
    ]
