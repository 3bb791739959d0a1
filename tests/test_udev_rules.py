"""The udev rules have the ids of the code, and do what both kinds of device need."""

import re
from pathlib import Path

import pytest

from drivers.ports.names import CDC_PRODUCT, PRODUCT, VENDOR

RULES = Path(__file__).parents[1] / "systemd" / "60-tableside.rules"
IDS = re.compile(r'ATTRS?\{idVendor\}=="([0-9a-f]{4})", ATTRS?\{idProduct\}=="([0-9a-f]{4})"')


def rules() -> list[str]:
    return [line for line in RULES.read_text().splitlines() if IDS.search(line)]


def test_the_rules_have_the_ids_of_the_code() -> None:
    found = {match.groups() for line in rules() for match in IDS.finditer(line)}
    assert found == {(f"{VENDOR:04x}", f"{product:04x}") for product in (PRODUCT, CDC_PRODUCT)}


@pytest.mark.parametrize(("subsystem", "product"), [("usb", PRODUCT), ("tty", CDC_PRODUCT)])
def test_what_is_opened_belongs_to_the_group(subsystem: str, product: int) -> None:
    [rule] = [line for line in rules() if f'SUBSYSTEM=="{subsystem}"' in line and f'"{product:04x}"' in line]
    assert 'GROUP="tableside", MODE="0660"' in rule


def test_modem_manager_leaves_all_of_them_alone() -> None:
    assert len(rules()) == 3
    assert all('ENV{ID_MM_DEVICE_IGNORE}="1"' in line for line in rules())


def lines(word: str) -> list[str]:
    """All rules with this comparison."""
    return [line for line in RULES.read_text().splitlines() if word in line and not line.startswith("#")]


def test_a_port_has_a_name_that_does_not_move() -> None:
    [named] = [line for line in lines(f'"{CDC_PRODUCT:04x}"') if 'SUBSYSTEM=="tty"' in line]
    assert 'SYMLINK+="tableside/$attr{serial}"' in named
    converter, one_of_several = [line for line in lines('KERNEL=="ttyUSB[0-9]*"') if "SYMLINK" in line]
    assert 'ENV{ID_SERIAL_SHORT}=="?*"' in converter  # a device without a serial number gets no name
    assert 'SYMLINK+="tableside/$env{ID_SERIAL_SHORT}"' in converter
    assert 'SUBSYSTEMS=="usb-serial"' in one_of_several  # which has the number of the port as an attribute
    assert '{ID_SERIAL_SHORT}-$env{ID_USB_INTERFACE_NUM}-$attr{port_number}"' in one_of_several


def test_converters_are_the_tables_and_no_modems() -> None:
    [rule] = [line for line in lines('KERNEL=="ttyUSB[0-9]*"') if "GROUP" in line]
    assert 'GROUP="tableside", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"' in rule


def test_nothing_waits_for_a_device_to_wake_or_to_collect() -> None:
    usb = lines('ENV{DEVTYPE}=="usb_device"')
    assert len(usb) == 2
    assert all('ATTR{power/control}="on"' in line for line in usb)
    assert 'ATTR{latency_timer}="1"' in lines('DRIVER=="ftdi_sio"')[0]


def test_every_comparison_and_assignment_has_its_operator() -> None:
    for line in RULES.read_text().splitlines():
        for part in [part for part in line.split(", ") if part and not line.startswith("#")]:
            assert re.fullmatch(r'[A-Z]+(\{[\w/]+\})?(==?|\+=)"[^"]*"', part), part
