"""A computer whose kernel stops, and the watchdog of its board."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.fixtures.waiting import until
from tests.guest.image import image
from tests.guest.machine import LONGEST, Guest, GuestError, Hardware
from tests.package.page import PAGE, steps

HEADING: Final = "A computer that hangs"
"""The part of docs/install.md that sets the watchdog up."""
BOARD: Final = Hardware(more=("-device", "i6300esb", "-action", "watchdog=pause"))
"""Instead of a reset, QEMU stops the computer, so that the end can be seen."""
HANG: Final = "(sleep 1; echo c > /proc/sysrq-trigger) &"
"""The kernel panics, and by its default stays so."""


def watchdog(_deb: Path) -> Iterator[str]:
    """The watchdog is fed once the commands of the page are carried out, and ends a computer that hangs."""
    with tempfile.TemporaryDirectory(prefix="guest-") as place, Guest(Path(place), image(), BOARD) as guest:
        for step in steps(PAGE):
            if step.heading == HEADING:
                guest.run(step.command)
        try:
            guest.until("grep --line-regexp active /sys/class/watchdog/watchdog0/state")
        except GuestError as error:
            yield f"systemd does not feed the watchdog: {error}"
            return
        guest.run(HANG)
        try:
            until(lambda: guest.monitor.run("query-status")["status"] == "watchdog", LONGEST)
        except AssertionError as error:
            yield f"no watchdog ended the computer whose kernel hangs: {error}\n{guest.console[-2000:]}"
            return
        if "sysrq triggered crash" not in guest.console:
            yield f"the watchdog ended a computer whose kernel did not hang:\n{guest.console[-2000:]}"
    print("a kernel that hangs: the watchdog ended it", flush=True)
