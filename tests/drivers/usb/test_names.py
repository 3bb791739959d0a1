"""Names of ports: what they mean, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.ports import names
from drivers.ports.names import ByPath, BySerial, usb_address

IDS = st.integers(0, 0xFFFF)
SERIALS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=126)
PATH = "pci-0000:00:14.0-usb-0:1.2"
WRONG = [
    "usb://",
    "usb://1209:0001",
    "usb://1209:0001/",
    "usb://1209:1/S",
    "usb://12090:0001/S",
    "usb://120g:0001/S",
    "usb://1209:0001/a b",
    "usb://1209:0001/" + "x" * 127,
    "usb://1209:0001/S\n",
    "usb://path",
    "usb://path/",
    "usb://path/a b",
    "USB://1209:0001/S",
    "usb:/1209:0001/S",
]


@given(IDS, IDS, SERIALS)
def test_a_serial_number_is_read_as_it_is_written(vendor: int, product: int, serial: str) -> None:
    named = BySerial(vendor, product, serial)
    assert usb_address(str(named)) == named
    assert names.transport_kind(str(named)) == "usb"


@given(SERIALS)
def test_a_path_is_read_as_it_is_written(path: str) -> None:
    assert usb_address(str(ByPath(path))) == ByPath(path)


def test_the_example_names_are_read() -> None:
    assert usb_address("usb://1209:0001/SHOE-1") == BySerial(0x1209, 1, "SHOE-1")
    assert usb_address("usb://DEAD:beef/a/b") == BySerial(0xDEAD, 0xBEEF, "a/b")
    assert usb_address(f"usb://path/{PATH}") == ByPath(PATH)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_usb_port_is_named_with_what_is_allowed(name: str) -> None:
    with pytest.raises(ValueError, match="allowed: usb://VENDOR:PRODUCT/SERIAL"):
        usb_address(name)


@pytest.mark.parametrize("name", ["/dev/ttyUSB0", "port", "socket://10.0.0.7:4001", "socket://shoe:1"])
def test_paths_and_device_servers_are_serial(name: str) -> None:
    assert names.transport_kind(name) == "serial"


@pytest.mark.parametrize(
    "name", ["", "loop://", "socket://", "socket://host:", "socket://host:x", *WRONG[:3]]
)
def test_impossible_port_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="allowed: "):
        names.transport_kind(name)
