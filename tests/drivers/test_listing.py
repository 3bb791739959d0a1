"""What is plugged in: a serial adapter and a vendor interface, from udev and the kernel's files."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.ports.listing import find_ports as ports
from tests.fixtures.waiting import PATIENCE

ADAPTER = """\
P: /devices/usb1/1-2
E: SUBSYSTEM=usb
E: DEVTYPE=usb_device
E: ID_USB_INTERFACES=:ffffff:
E: ID_VENDOR_ID=0403
E: ID_MODEL_ID=6001
A: idVendor=0403\\n
A: idProduct=6001\\n
A: bNumInterfaces=1\\n
A: manufacturer=FTDI\\n
A: product=FT232R USB UART\\n
A: serial=A50285BI\\n

P: /devices/usb1/1-2/1-2:1.0
E: SUBSYSTEM=usb
E: DEVTYPE=usb_interface

P: /devices/usb1/1-2/1-2:1.0/ttyUSB7
E: SUBSYSTEM=usb-serial

P: /devices/usb1/1-2/1-2:1.0/ttyUSB7/tty/ttyUSB7
N: ttyUSB7
E: SUBSYSTEM=tty
E: DEVNAME=/dev/ttyUSB7
E: ID_PATH=pci-0000:00:14.0-usb-0:2:1.0
{ignored}L: device=../..

"""
VENDOR = """\
P: /devices/usb1/1-3
N: bus/usb/001/007
E: SUBSYSTEM=usb
E: DEVTYPE=usb_device
E: DEVNAME=/dev/bus/usb/001/007
E: ID_USB_INTERFACES={interfaces}
E: ID_VENDOR_ID=1209
E: ID_MODEL_ID=0001
E: ID_VENDOR=Tableside
E: ID_MODEL=Shoe
E: ID_SERIAL_SHORT=SHOE-1
E: ID_PATH=pci-0000:00:14.0-usb-0:3
A: idVendor=1209\\n
A: idProduct=0001\\n

"""
CODE = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from drivers.ports.listing import find_ports
print(json.dumps([asdict(port) for port in find_ports(Path(sys.argv[1]))]))
"""


def listed(folder: Path, *devices: str) -> list[dict[str, object]]:
    """The listing on a machine with exactly these devices."""
    table = folder / "devices"
    table.write_text("".join(devices))
    links = folder / "by-id"
    links.mkdir()
    (links / "usb-FTDI_A50285BI").symlink_to("/dev/ttyUSB7")
    command = ["umockdev-run", "--device", str(table), "--", sys.executable, "-c", CODE, str(folder)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=PATIENCE, env=os.environ
    )
    answer: list[dict[str, object]] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("ignored", [False, True])
def test_a_serial_adapter_is_listed(tmp_path: Path, ignored: bool) -> None:
    adapter = ADAPTER.format(ignored="E: ID_MM_DEVICE_IGNORE=1\n" if ignored else "")
    (port,) = listed(tmp_path, adapter)
    assert port == {
        "port": "/dev/ttyUSB7",
        "names": [str(tmp_path / "by-id" / "usb-FTDI_A50285BI")],
        "what": "FTDI FT232R USB UART",
        "serial": "A50285BI",
        "usb": "0403:6001",
        "place": "pci-0000:00:14.0-usb-0:2:1.0",
        "meddled": not ignored,
    }


def test_a_vendor_interface_is_listed(tmp_path: Path) -> None:
    assert listed(tmp_path, VENDOR.format(interfaces=":ff0000:")) == [
        {
            "port": "usb://1209:0001/SHOE-1",
            "names": ["usb://path/pci-0000:00:14.0-usb-0:3"],
            "what": "Tableside Shoe",
            "serial": "SHOE-1",
            "usb": "1209:0001",
            "place": "pci-0000:00:14.0-usb-0:3",
            "meddled": False,
        }
    ]


def test_what_is_no_device_of_ours_is_left_out(tmp_path: Path) -> None:
    assert listed(tmp_path, VENDOR.format(interfaces=":090000:")) == []


def test_ports_are_listed_without_udevs_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ImportError("No library named udev")

    monkeypatch.setattr("pyudev.Context", missing)
    assert all(not port.place.startswith("pci") for port in ports(tmp_path))
