"""News of plugs from udev: what was plugged in or out, and where.

The news is only a reason to look at once. A transport itself notices that its device is gone, and an empty
port is tried again each second in any case.
"""

import asyncio
import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import pyudev

SUBSYSTEMS: Final = {"tty": None, "usb": "usb_device"}
"""The subsystems, each with its type of device. The interfaces of a USB device come and go with it."""
ACTIONS: Final[dict[str, Literal["plugged", "unplugged"]]] = {"add": "plugged", "remove": "unplugged"}
CONTROL: Final = Path("/run/udev/control")
"""Exists while udev runs."""


@dataclass(frozen=True, slots=True)
class Plug:
    """A port that came or went. What udev does not know is empty."""

    action: Literal["plugged", "unplugged"]
    node: str = ""
    path: str = ""
    """udev's ID_PATH: the socket."""
    serial: str = ""
    vendor: str = ""
    product: str = ""
    """Vendor and product have four hexadecimal digits each."""
    ignored: bool = False
    """Whether ModemManager leaves it alone."""


MISSED: Final = Plug("plugged")
"""News was lost, so something may have been plugged in."""


@contextmanager
def watch_plugs(
    on_plug: Callable[[Plug], None], on_unavailable: Callable[[str], None], control: Path = CONTROL
) -> Iterator[None]:
    """Calls `on_plug` for every plug while the context is entered, in a running loop.

    If no news can come, it calls `on_unavailable` once with a sentence that says why.
    """
    try:
        monitor = _monitor()
    except (ImportError, OSError) as error:
        on_unavailable(f"no news of plugs, ports are tried again each second: no udev ({error})")
        yield
        return
    if not control.exists():
        on_unavailable("there may be no news of plugs, ports are tried each second: udev does not run here")
    loop = asyncio.get_running_loop()

    def on_readable() -> None:
        try:
            _report_all(monitor, on_plug)
        except OSError as error:
            loop.remove_reader(monitor.fileno())
            on_unavailable(f"no more news of plugs, ports are tried again each second: {error}")

    loop.add_reader(monitor.fileno(), on_readable)
    try:
        yield
    finally:
        loop.remove_reader(monitor.fileno())


def _monitor() -> Any:
    monitor = pyudev.Monitor.from_netlink(pyudev.Context())
    for subsystem, kind in SUBSYSTEMS.items():
        monitor.filter_by(subsystem, kind)
    monitor.start()
    return monitor


def _report_all(monitor: Any, on_plug: Callable[[Plug], None]) -> None:
    """Raises OSError if no news can come any more."""
    try:
        while (device := monitor.poll(timeout=0)) is not None:
            if device.action in ACTIONS:
                on_plug(_plug(ACTIONS[device.action], device))
    except OSError as error:
        if error.errno != errno.ENOBUFS:
            raise
        on_plug(MISSED)


def _plug(action: Literal["plugged", "unplugged"], device: Any) -> Plug:
    properties = device.properties
    return Plug(
        action,
        node=device.device_node or "",
        path=properties.get("ID_PATH", ""),
        serial=properties.get("ID_SERIAL_SHORT", ""),
        vendor=properties.get("ID_VENDOR_ID", ""),
        product=properties.get("ID_MODEL_ID", ""),
        ignored=properties.get("ID_MM_DEVICE_IGNORE") == "1",
    )
