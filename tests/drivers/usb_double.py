"""A USB without a bus: pyusb's own front end on a backend that hands each transfer to a simulated device at
once."""

import errno
import os
from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import usb.core
from usb.backend import IBackend

from drivers.sim.usb.descriptors import IN, OUT
from drivers.sim.usb.gadget import Gadget

Faults = Mapping[str, Sequence[int]]
"""Errors of the first calls of an operation: {"read": [EPIPE, 0, EIO]}; 0 is none."""


class DoubleBackend(IBackend):
    """One hub with simulated devices on it, by their address."""

    def __init__(self, *gadgets: Gadget, faults: Faults | None = None) -> None:
        self._address = 1
        self.gadgets: dict[int, Gadget] = {}
        for gadget in gadgets:
            self.plug(gadget)
        self.calls: list[str] = []
        self.claimed_by: dict[int, object] = {}
        self.interface_class = 0xFF
        self.endpoint_kinds = (2, 2)
        self.opened = 0
        self.pull_at = 0
        """The number of the call during which the plug is pulled; 0: none."""
        self._faults = defaultdict(deque, {name: deque(errors) for name, errors in (faults or {}).items()})

    def unplug(self) -> None:
        gone, self.gadgets = self.gadgets, {}
        for gadget in gone.values():
            gadget.wake()

    def plug(self, gadget: Gadget) -> None:
        gadget.reset()
        self._address += 1
        self.gadgets[self._address] = gadget

    def plan(self, operation: str, *errors: int) -> None:
        """Its next calls end this way."""
        self._faults[operation].extend(errors)

    def enumerate_devices(self) -> list[int]:
        return list(self.gadgets)

    def get_device_descriptor(self, address: int) -> Any:
        identity = self._gadget("descriptor", address).identity
        return SimpleNamespace(
            bLength=18,
            bDescriptorType=1,
            bcdUSB=0x200,
            bDeviceClass=0,
            bDeviceSubClass=0,
            bDeviceProtocol=0,
            bMaxPacketSize0=64,
            idVendor=identity.vendor,
            idProduct=identity.product,
            bcdDevice=0x100,
            iManufacturer=1,
            iProduct=2,
            iSerialNumber=3 if identity.serial else 0,
            bNumConfigurations=1,
            address=address,
            bus=1,
            port_number=address,
            port_numbers=(address,),
            speed=2,
        )

    def get_configuration_descriptor(self, address: int, config: int) -> Any:
        if config:
            raise IndexError(config)
        self._gadget("descriptor", address)
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=2,
            wTotalLength=32,
            bNumInterfaces=1,
            bConfigurationValue=1,
            iConfiguration=0,
            bmAttributes=0x80,
            bMaxPower=50,
            extra_descriptors=[],
        )

    def get_interface_descriptor(self, address: int, interface: int, alternate: int, _config: int) -> Any:
        if interface or alternate:
            raise IndexError(interface)
        self._gadget("descriptor", address)
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=4,
            bInterfaceNumber=0,
            bAlternateSetting=0,
            bNumEndpoints=2,
            bInterfaceClass=self.interface_class,
            bInterfaceSubClass=0,
            bInterfaceProtocol=0,
            iInterface=0,
            extra_descriptors=[],
        )

    def get_endpoint_descriptor(self, address: int, end: int, *_where: int) -> Any:
        packet = self._gadget("descriptor", address).identity.packet
        return SimpleNamespace(
            bLength=7,
            bDescriptorType=5,
            bEndpointAddress=(IN, OUT)[end],
            bmAttributes=self.endpoint_kinds[end],
            wMaxPacketSize=packet,
            bInterval=0,
            bRefresh=0,
            bSynchAddress=0,
            extra_descriptors=[],
        )

    def open_device(self, address: int) -> "_Handle":
        self._gadget("open", address)
        self.opened += 1
        return _Handle(address)

    def close_device(self, handle: "_Handle") -> None:
        self._note("close")
        if self.claimed_by.get(handle.address) is handle:
            del self.claimed_by[handle.address]

    def get_configuration(self, handle: "_Handle") -> int:
        self._gadget("get_configuration", handle.address)
        return 1

    def claim_interface(self, handle: "_Handle", _interface: int) -> None:
        self._gadget("claim", handle.address)
        if self.claimed_by.setdefault(handle.address, handle) is not handle:
            raise _error(errno.EBUSY)

    def release_interface(self, handle: "_Handle", _interface: int) -> None:
        self._gadget("release", handle.address)
        self.claimed_by.pop(handle.address, None)

    def clear_halt(self, handle: "_Handle", end: int) -> None:
        self._gadget("clear_halt", handle.address).halted.discard(end)

    def ctrl_transfer(
        self,
        handle: "_Handle",
        kind: int,
        request: int,
        value: int,
        index: int,
        buffer: "array[int]",
        _ms: int,
    ) -> int:
        setup = bytes([kind, request]) + b"".join(
            number.to_bytes(2, "little") for number in (value, index, len(buffer))
        )
        said = self._gadget("control", handle.address).identity.answer(setup)
        if said is None:
            raise _error(errno.EPIPE)
        buffer[: len(said)] = array("B", said)
        return len(said)

    def bulk_read(self, handle: "_Handle", _end: int, _interface: int, buffer: "array[int]", ms: int) -> int:
        given: list[bytes] = []

        def ready() -> bool:
            data = self._gadget("", handle.address).give(len(buffer))
            given.extend([] if data is None else [data])
            return bool(given)

        self._transfer("read", handle, IN, ready, ms)
        buffer[: len(given[0])] = array("B", given[0])
        return len(given[0])

    def bulk_write(self, handle: "_Handle", _end: int, _interface: int, data: "array[int]", ms: int) -> int:
        def ready() -> bool:
            return self._gadget("", handle.address).accept(data.tobytes())

        self._transfer("write", handle, OUT, ready, ms)
        return len(data)

    def _transfer(self, name: str, handle: "_Handle", end: int, ready: Callable[[], bool], ms: int) -> None:
        gadget = self._gadget(name, handle.address, end)
        if end in gadget.halted:
            raise _error(errno.EPIPE)
        if not gadget.wait(ready, ms / 1000):
            raise usb.core.USBTimeoutError("timed out", -7, errno.ETIMEDOUT)

    def _note(self, operation: str) -> None:
        self.calls.append(operation)
        if len(self.calls) == self.pull_at:
            self.unplug()

    def _gadget(self, operation: str, address: int, end: int = 0) -> Gadget:
        """The device there, if it is still plugged in and no fault is due."""
        if operation:
            self._note(operation)
        number = self._faults[operation].popleft() if self._faults[operation] else 0
        if address not in self.gadgets:
            raise _error(errno.ENODEV)
        if number == errno.EPIPE:
            self.gadgets[address].halted.add(end)
        if number:
            raise _error(number)
        return self.gadgets[address]


class _Handle:
    def __init__(self, address: int) -> None:
        self.address = address


def _error(number: int) -> usb.core.USBError:
    return usb.core.USBError(os.strerror(number), -1, number)
