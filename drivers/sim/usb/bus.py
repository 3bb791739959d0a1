"""A USB bus of umockdev: processes under its wrapper find the gadgets that are plugged in."""

import errno
import os
import shutil
from pathlib import Path
from typing import Any

from drivers.sim.usb import umockdev
from drivers.sim.usb.gadget import Gadget
from drivers.sim.usb.usbfs import Usbfs

HUB = "/devices/pci0000:00/0000:00:14.0/usb1"
HUB_DESCRIPTORS = "12010002090000406b1d020000010000000109021900010100e0000904000001090000000705810304000c"
"""Of a root hub. libusb does not start if it can read no device at all."""
SOCKETS = range(1, 5)


class Bus:
    """One testbed with a root hub. It lives as long as this object; umockdev's own thread serves it.

    Raises UmockdevMissingError, also outside umockdev's wrapper, where nobody would hear of plugs.
    """

    def __init__(self, folder: Path | None = None) -> None:
        if not umockdev.preloaded():
            raise umockdev.UmockdevMissingError(f"a bus needs {umockdev.WRAPPER} before its command")
        self._library = umockdev.library()
        self._testbed = self._library.Testbed.new()
        self.root = Path(self._testbed.get_root_dir())
        """What $UMOCKDEV_DIR must be for processes that are to see this bus: `folder`, if there is one."""
        if folder:
            _move_testbed(self.root, folder)
            self.root = folder
        self._nodes = {socket: tuple(self._node(2 * socket + turn) for turn in (0, 1)) for socket in SOCKETS}
        """Two for each socket, used in turn, so that a device has another address than the one before it."""
        self._testbed.add_from_string(_entry(HUB, 1, {}, {}, HUB_DESCRIPTORS))

    @staticmethod
    def id_path(socket: int) -> str:
        """What udev calls a socket of the hub."""
        return f"pci-0000:00:14.0-usb-0:{socket}"

    def plug(self, gadget: Gadget, socket: int = 1) -> Usbfs:
        """Plugs a gadget in and sends a udev event."""
        gadget.reset()
        self._nodes[socket] = node, _ = self._nodes[socket][::-1]
        node.usbfs = Usbfs(gadget)
        self._testbed.add_from_string(self._described(gadget, socket, node.address))
        return node.usbfs

    def unplug(self, socket: int = 1) -> None:
        """Pulls it: ends its transfers, removes its node and sends a udev event."""
        node, _ = self._nodes[socket]
        if node.usbfs:
            node.usbfs.unplug()
            self._testbed.uevent(f"/sys{HUB}/1-{socket}", "remove")
            self._testbed.remove_device(f"/sys{HUB}/1-{socket}")
            node.usbfs.gadget.reset()

    def _node(self, address: int) -> "Node":
        node, calls = Node(address), self._library.IoctlBase.new()
        calls.connect("client-connected", lambda _calls, client: node.opened(client))
        calls.connect("handle-ioctl", lambda _calls, client: node.ioctl(client))
        calls.connect("client-vanished", lambda _calls, client: node.closed(client))
        self._testbed.attach_ioctl(f"/dev/{node_name(address)}", calls)
        return node

    def _described(self, gadget: Gadget, socket: int, address: int) -> str:
        who = gadget.identity
        ids = {"idVendor": f"{who.vendor:04x}", "idProduct": f"{who.product:04x}", "serial": who.serial}
        udev_properties = {
            "ID_PATH": self.id_path(socket),
            "ID_SERIAL_SHORT": who.serial,
            "ID_VENDOR_ID": ids["idVendor"],
            "ID_MODEL_ID": ids["idProduct"],
            "ID_USB_INTERFACES": ":ff0000:",
            "ID_MM_DEVICE_IGNORE": "1",
        }
        descriptors = (who.device + who.configuration).hex()
        return _entry(f"{HUB}/1-{socket}", address, udev_properties, ids, descriptors)


class Node:
    """The node of a device. It listens for ever, with or without a device, because umockdev aborts
    processes that are opening a node while it is removed. A client stays with the device that was there
    when it opened the node."""

    def __init__(self, address: int) -> None:
        self.address = address
        self.usbfs: Usbfs | None = None
        self._open: dict[Any, Usbfs] = {}

    def opened(self, client: Any) -> None:
        if self.usbfs:
            self._open[client] = self.usbfs

    def ioctl(self, client: Any) -> bool:
        if usbfs := self._open.get(client):
            return usbfs.ioctl(client)
        client.complete(-1, errno.ENODEV)
        return True

    def closed(self, client: Any) -> None:
        if usbfs := self._open.pop(client, None):
            usbfs.forget(client)


def node_name(address: int) -> str:
    return f"bus/usb/001/{address:03}"


def _move_testbed(created: Path, folder: Path) -> None:
    """Moves umockdev's folder to a place where an earlier bus may have been.

    Processes that listen to udev have their sockets there and must hear of this bus too.
    """
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        if old.is_dir():
            shutil.rmtree(old)
    for part in list(created.iterdir()):
        part.rename(folder / part.name)
    created.rmdir()
    created.symlink_to(folder)
    os.environ["UMOCKDEV_DIR"] = str(folder)


def _entry(
    path: str, address: int, udev_properties: dict[str, str], attributes: dict[str, str], descriptors: str
) -> str:
    """A device in the text form of `umockdev-record`."""
    node = node_name(address)
    properties = {
        "DEVTYPE": "usb_device",
        "SUBSYSTEM": "usb",
        "DEVNAME": f"/dev/{node}",
        "MAJOR": "189",
        "MINOR": str(address - 1),
        "BUSNUM": "001",
        "DEVNUM": f"{address:03}",
        **udev_properties,
    }
    files = {
        "busnum": "1",
        "devnum": str(address),
        "bConfigurationValue": "1",
        "speed": "480",
        "dev": f"189:{address - 1}",
        **attributes,
    }
    lines = [f"P: {path}", f"N: {node}", *(f"E: {name}={value}" for name, value in properties.items())]
    return "\n".join(
        [
            *lines,
            *(f"A: {name}={value}\\n" for name, value in files.items()),
            f"H: descriptors={descriptors}",
            "",
        ]
    )
