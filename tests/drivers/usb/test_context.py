"""libusb ends after the last of its devices, in whatever order Python forgets them."""

import ctypes
from collections.abc import Callable
from typing import Any

import pytest
import usb.core
from usb.backend import libusb1

from drivers.ports.usb_claim import Claimed, Context


class Library:
    """libusb's functions, with one device. `ends` has the releases of devices and the ends of contexts."""

    def __init__(self) -> None:
        self.ends: list[str] = []
        self._listed = (ctypes.c_void_p * 1)(7)

    def libusb_init(self, context: Any) -> int:
        context._obj.value = 1
        return 0

    def libusb_exit(self, _context: object) -> None:
        self.ends.append("exit")

    def libusb_get_device_list(self, _context: object, listed: Any) -> int:
        listed._obj.contents = ctypes.c_void_p.from_buffer(self._listed)
        return 1

    def libusb_ref_device(self, device: int) -> int:
        return device

    def libusb_unref_device(self, _device: int) -> None:
        self.ends.append("unref")

    def __getattr__(self, name: str) -> Callable[..., int]:
        return lambda *_words: 0


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    stands_in = Library()
    monkeypatch.setattr(libusb1, "_lib", stands_in)
    return stands_in


def claimed(context: Context) -> Claimed:
    """A claimed device that holds the last reference to its context."""
    [device] = usb.core.find(True, context)
    return Claimed(device, context, 0, 0x81, 0x01, 64)


def test_a_claimed_device_goes_before_its_context(library: Library) -> None:
    held = claimed(Context(library))
    assert library.ends == []
    del held
    assert library.ends == ["unref", "exit"]


def test_a_context_ends_after_the_last_of_several_devices_that_are_dropped_with_an_error(
    library: Library,
) -> None:
    def found() -> None:
        context = Context(library)
        both = [*usb.core.find(True, context), *usb.core.find(True, context)]
        raise LookupError(f"{len(both)} devices have this name")

    with pytest.raises(LookupError) as caught:
        found()
    del caught
    assert library.ends == ["unref", "unref", "exit"]
