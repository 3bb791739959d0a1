"""The rule file for udev has the ids of the code, and does for both kinds of device what it must."""

import re
from pathlib import Path

import pytest

from drivers.usb.names import CDC_PRODUCT, PRODUCT, VENDOR

RULES = Path(__file__).parents[1] / "systemd" / "60-tableside.rules"
IDS = re.compile(r'ATTRS?\{idVendor\}=="([0-9a-f]{4})", ATTRS?\{idProduct\}=="([0-9a-f]{4})"')


def rules() -> list[str]:
    return [line for line in RULES.read_text().splitlines() if IDS.search(line)]


def test_its_ids_are_those_of_the_code() -> None:
    found = {match.groups() for line in rules() for match in IDS.finditer(line)}
    assert found == {(f"{VENDOR:04x}", f"{product:04x}") for product in (PRODUCT, CDC_PRODUCT)}


@pytest.mark.parametrize(("subsystem", "product"), [("usb", PRODUCT), ("tty", CDC_PRODUCT)])
def test_what_is_opened_belongs_to_the_group(subsystem: str, product: int) -> None:
    [rule] = [line for line in rules() if f'SUBSYSTEM=="{subsystem}"' in line and f'"{product:04x}"' in line]
    assert 'GROUP="tableside", MODE="0660"' in rule


def test_modem_manager_leaves_all_of_them_alone() -> None:
    assert len(rules()) == 3
    assert all('ENV{ID_MM_DEVICE_IGNORE}="1"' in line for line in rules())


def test_every_comparison_and_assignment_has_its_operator() -> None:
    for line in RULES.read_text().splitlines():
        for part in [part for part in line.split(", ") if part and not line.startswith("#")]:
            assert re.fullmatch(r'[A-Z]+(\{\w+\})?==?"[^"]*"', part), part
