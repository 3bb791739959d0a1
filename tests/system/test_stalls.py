"""A side that stalls: the other one notices within seconds, everything that moves is safe, and play goes on
after.

A stall lasts until it was noticed; after that nothing depends on its length. The long plays of
`tests.system.soak` have stalls of 20 s.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.demo.table import KINDS
from tests.fixtures.device_control import Refusal
from tests.fixtures.process_table import LONG, ProcessTable, stopped
from tests.fixtures.waiting import until
from tests.system import script
from tests.system.preload.disk import Disk
from tests.system.service import service
from tests.system.test_devices import check_as_before

STEP = 9
"""In the middle of the round: the dealer is to act on seat 1, cards have left."""
MISSED = r"(no heartbeat for 3 s|did not run for|a frame was sent \d+ times in vain)"
"""The second is said when the whole machine paused, too; the last when a lease is renewed at that moment."""


@contextmanager
def standing_still(*pids: int | None) -> Iterator[None]:
    """These processes do not run inside the block, and do not know it."""
    _send(signal.SIGSTOP, pids)
    try:
        yield
    finally:
        _send(signal.SIGCONT, pids)


def _send(number: signal.Signals, pids: tuple[int | None, ...]) -> None:
    for pid in pids:
        assert pid is not None
        os.kill(pid, number)


def safe(house: ProcessTable) -> bool:
    """Every device is in the state that it takes without a controller."""
    sensors, display = house.hands["sensors"], house.hands["display"]
    armed = any(house.hands[kind].last("session")["armed"] for kind in KINDS)
    return not armed and sensors.last("lamps")["safe"] and display.last("display")["lost"]


def locked(house: ProcessTable) -> bool:
    try:
        house.hands["shoe"].ask("pull")
    except Refusal as refusal:
        return "is locked" in str(refusal)
    return False


def test_a_stalled_daemon_loses_no_card(house: ProcessTable) -> None:
    number = script.deal_up_to(house, STEP)
    before, sessions = script.at(house, STEP), house.sessions()
    assert house.stage.daemon
    with standing_still(house.stage.daemon.pid):
        until(lambda: safe(house))
        assert locked(house)
    until(lambda: all(count > sessions[kind] for kind, count in house.sessions().items()))
    check_as_before(house.until_recovered(), before)
    script.play_to_the_end(house, number, STEP)


@pytest.mark.parametrize("kinds", [("shoe",), tuple(KINDS)], ids=["the shoe", "all devices"])
def test_stalled_devices_lose_no_card(house: ProcessTable, kinds: tuple[str, ...]) -> None:
    number = script.deal_up_to(house, STEP)
    before, written = script.at(house, STEP), len(house.log())
    with standing_still(*(house.stage.devices[kind].pid for kind in kinds)):
        house.until(lambda view: set(view.suspended) == {f"Missing: the {kind}" for kind in kinds})
        for kind in kinds:
            missed = re.compile(f"{house.stage.port(kind)}: {MISSED}")
            until(lambda missed=missed: missed.search(house.log()[written:]))  # type: ignore[misc]
    check_as_before(house.until_recovered(), before)
    script.play_to_the_end(house, number, STEP)


def test_a_blocked_loop_stops_the_heartbeat(house: ProcessTable, disk: Disk, library: Path) -> None:
    """The disk holds up the whole daemon: no iteration of its loop ends."""
    number = script.deal_up_to(house, STEP)
    with stopped(house), service(house.stage.config, more=disk.environment(library)) as running:
        house.until_recovered()
        disk.slow(LONG)
        house.hands["console"].ask("press", action="pay", seat=0)
        until(lambda: safe(house))
        assert locked(house)
        disk.mend()
        house.until_recovered()
        running.process.terminate()
        assert running.end()[0] == 0
    script.play_to_the_end(house, number, STEP)


def test_a_stuck_table_stops_the_heartbeat_though_the_loop_runs(house: ProcessTable) -> None:
    number = script.deal_up_to(house, STEP)
    command = [sys.executable, "-m", "tests.system.stuck", str(house.stage.config)]
    with stopped(house), subprocess.Popen(command) as stuck:
        try:
            house.until_recovered()
            stuck.send_signal(signal.SIGUSR1)
            until(lambda: safe(house))
            assert locked(house)
            assert house.view().round == number, "the page answers all the while"
        finally:
            stuck.terminate()
        assert stuck.wait() == 0
    script.play_to_the_end(house, number, STEP)
