"""News of plugs, as udev tells them: something came, or went, and who it is.

Only a hint to look at once: that a device is gone is what its transport says, and an empty port is tried
again each second whether or not anybody told of it.
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
"""Whose news count, and of which type; a USB device's interfaces come and go with it."""
ACTIONS: Final[dict[str, Literal["plugged", "unplugged"]]] = {"add": "plugged", "remove": "unplugged"}
CONTROL: Final = Path("/run/udev/control")
"""There while udev runs."""


@dataclass(frozen=True, slots=True)
class Plug:
    """A port that came or went. What udev does not know is empty."""

    action: Literal["plugged", "unplugged"]
    node: str = ""
    path: str = ""
    """Where it is plugged in: udev's ID_PATH."""
    serial: str = ""
    vendor: str = ""
    product: str = ""
    """Both as four hexadecimal digits."""
    ignored: bool = False
    """ModemManager leaves it alone."""


MISSED: Final = Plug("plugged")
"""More news came than could be kept: something may have been plugged in."""


@contextmanager
def watch_plugs(
    on_plug: Callable[[Plug], None], on_unavailable: Callable[[str], None], control: Path = CONTROL
) -> Iterator[None]:
    """While it is entered, in a running loop, `told` is called for every plug.

    Where nobody will tell of plugs, `deaf` is called once with a sentence that says why.
    """
    try:
        monitor = _monitor()
    except (ImportError, OSError) as error:
        on_unavailable(f"plugs are not heard of, ports are tried again each second: no udev ({error})")
        yield
        return
    if not control.exists():
        on_unavailable("plugs may not be heard of, ports are tried again each second: udev does not run here")
    loop = asyncio.get_running_loop()

    def hear() -> None:
        try:
            _report_all(monitor, on_plug)
        except OSError as error:
            loop.remove_reader(monitor.fileno())
            on_unavailable(f"plugs are not heard of any more, ports are tried again each second: {error}")

    loop.add_reader(monitor.fileno(), hear)
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
    """Raises OSError when nothing will ever come again."""
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
