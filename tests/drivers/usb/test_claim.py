"""Which device is found under a name, and why one is not opened."""

import errno

import pytest

from drivers.errors import Absent
from drivers.ports.names import PRODUCT, VENDOR, BySerial
from drivers.ports.usb_claim import claim, release
from drivers.sim.usb.descriptors import Identity
from drivers.sim.usb.gadget import Gadget
from tests.drivers.usb_double import DoubleBackend

SHOE = BySerial(VENDOR, PRODUCT, "SHOE-1")
REFUSALS = [
    ("open", errno.EACCES, "no permission: install systemd/60-tableside.rules and be in its group"),
    ("claim", errno.EBUSY, "another process or a driver of the kernel has its interface"),
    ("claim", errno.ENODEV, "it was unplugged meanwhile"),
    ("control", errno.EIO, "Input/output error"),
]


def hub(*serials: str, product: int = PRODUCT) -> DoubleBackend:
    return DoubleBackend(*(Gadget(Identity(serial, product=product)) for serial in serials))


def why_not(backend: DoubleBackend, place: BySerial = SHOE) -> str:
    with pytest.raises(Absent) as absent:
        claim(place, lambda: backend)
    start = f"port {place} cannot be opened: "
    assert str(absent.value).startswith(start)
    return str(absent.value).removeprefix(start)


def test_one_of_many_is_found_by_its_serial_number() -> None:
    backend = hub("SHOE-2", "SHOE-1", "")
    claimed = claim(SHOE, lambda: backend)
    assert (claimed.device.address, claimed.packet) == (3, 64)
    assert list(backend.claimed_by) == [3]
    release(claimed)
    assert not backend.claimed_by


@pytest.mark.parametrize("backend", [hub(), hub("SHOE-2"), hub("SHOE-1", product=PRODUCT + 1)])
def test_a_missing_device_is_named(backend: DoubleBackend) -> None:
    assert why_not(backend) == "no such device is plugged in"


def test_two_of_one_name_are_not_told_apart_by_chance() -> None:
    backend = hub("SHOE-1", "SHOE-1")
    assert why_not(backend) == "2 devices have this name: give each its own serial number"
    assert not backend.claimed_by


def test_a_port_is_ours_alone() -> None:
    backend = hub("SHOE-1")
    claimed = claim(SHOE, lambda: backend)
    assert why_not(backend).startswith("another process")
    release(claimed)
    release(claim(SHOE, lambda: backend))


@pytest.mark.parametrize(("operation", "number", "reason"), REFUSALS)
def test_a_refusal_has_a_reason_and_leaves_nothing_open(operation: str, number: int, reason: str) -> None:
    backend = hub("SHOE-1")
    backend.plan(operation, number)
    assert why_not(backend) == reason
    assert backend.calls.count("close") == backend.opened
    assert not backend.claimed_by


@pytest.mark.parametrize(("interface", "kinds"), [(0x0A, (2, 2)), (0xFF, (3, 2)), (0xFF, (2, 1))])
def test_a_device_without_our_interface_is_refused(interface: int, kinds: tuple[int, int]) -> None:
    backend = hub("SHOE-1")
    backend.interface_class, backend.endpoint_kinds = interface, kinds
    assert why_not(backend) == "it has no vendor interface with one bulk IN and one bulk OUT endpoint"


def test_a_device_that_can_not_be_asked_hides_nobody() -> None:
    backend = hub("SHOE-2", "SHOE-1")
    backend.plan("open", errno.EACCES)
    release(claim(SHOE, lambda: backend))


def test_a_missing_libusb_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("usb.backend.libusb1.get_backend", lambda **_find: None)
    with pytest.raises(Absent, match=r"install the package libusb-1\.0-0"):
        claim(SHOE)
