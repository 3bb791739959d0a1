"""The package on a whole computer: one boot, one round, devices that the kernel's own drivers serve."""

import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from drivers.sim.kinds import KINDS
from tests.guest.devices import serial
from tests.guest.image import image
from tests.guest.machine import Guest, Hardware
from tests.guest.play import play, pull, wrong
from tests.guest.table import Scene, devices, install, package, prepare

pytestmark = pytest.mark.timeout(1800)  # the first test builds the computer and starts it
SCENE: Final = Scene()
CONVERTERS: Final = [kind for kind in KINDS if kind not in SCENE.vendor]
MASK: Final = "ln -s /dev/null /etc/systemd/system/tableside-web.service"
"""What `systemctl mask` does, before it makes systemd read all units again."""
PULLED: Final = ("shoe", "sensors", "console")
PULLS: Final = [pull("dealing", 2, "shoe"), pull("dealing", 3, "sensors"), pull("playing", 1, "console")]


@dataclass(frozen=True, slots=True)
class Pit:
    """A guest that runs, and the folder of its devices."""

    guest: Guest
    folder: Path


@pytest.fixture(scope="module")
def pit() -> Iterator[Pit]:
    """The package is installed while no device is there, on a computer without pages. Then the plugs go in.
    One emulated processor takes less time than two, which wait for each other."""
    with tempfile.TemporaryDirectory(prefix="guest-") as place:
        folder = Path(place)
        with Guest(folder, image(), Hardware(tuple(KINDS), processors=1)) as guest:
            prepare(folder, guest.incoming, SCENE, package(folder))
            guest.run(MASK)
            install(guest)
            with devices(folder, SCENE):
                yield Pit(guest, folder)


def test_a_package_starts_its_service_and_leaves_a_masked_one_alone(pit: Pit) -> None:
    shown = pit.guest.run("systemctl show --property=Type,StatusText tableside")
    assert {"Type=notify", "StatusText=The table is ready"} <= set(shown.splitlines())
    assert pit.guest.run("systemctl is-enabled tableside tableside-web", allowed=(0, 1)).split() == [
        "enabled",
        "masked",
    ]


def test_converters_have_the_names_and_the_group_of_the_rules_and_wait_for_a_millisecond(pit: Pit) -> None:
    for kind in CONVERTERS:
        name = f"/dev/tableside/{serial(kind)}"
        pit.guest.until(f"test -e {name}")
        pit.guest.run("udevadm settle")
        assert pit.guest.run(f"stat --dereference --format '%U:%G %a' {name}").strip() == "root:tableside 660"
        stays = f"/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_{serial(kind)}-if00-port0"
        assert pit.guest.run(f"realpath {stays}") == pit.guest.run(f"realpath {name}")
    assert set(pit.guest.run("cat /sys/bus/usb-serial/devices/*/latency_timer").split()) == {"1"}


def test_the_device_with_a_vendor_interface_is_the_group_s_and_nobody_else_s(pit: Pit) -> None:
    found = pit.guest.run(
        "grep --files-with-matches --word-regexp 1209 /sys/bus/usb/devices/*/idVendor"
    ).split()
    assert len(found) == 1
    node = pit.guest.run(f"sed -n s/DEVNAME=//p {Path(found[0]).parent}/uevent").strip()
    assert pit.guest.run(f"stat --format '%U:%G %a' /dev/{node}").strip() == "root:tableside 660"


def test_a_round_in_which_plugs_are_pulled_ends_as_the_crew_played_it(pit: Pit) -> None:
    played = asyncio.run(play(pit.folder, SCENE.settings, 1, PULLS))
    assert list(wrong(pit.guest, pit.folder, SCENE.settings, played)) == []
    assert pit.guest.run("systemctl show --property=NRestarts --value tableside").strip() == "0"
    log = pit.guest.run("journalctl --unit tableside --output cat --no-pager")
    for kind in PULLED:
        assert f'"device": "{kind}", "why": "the device on port {SCENE.port(kind)} is gone' in log
