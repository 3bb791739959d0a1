"""Links are served while the table waits for its disk, and only then."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from controller.journal.journal import Journal
from controller.table.devices import TableDevices
from controller.table.inbox import Clocks
from controller.table.keepalive import LIMIT, STEP, STUCK, Keepalive
from controller.table.loop import Table
from controller.table.recovery import recover
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import RecordingDevice
from tests.fixtures.waiting import PATIENCE


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Link:
    """A device that records how it is served."""

    calls: list[str] = field(default_factory=list)

    def poll(self) -> None:
        self.calls.append("poll")

    def resume(self) -> None:
        self.calls.append("resume")


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_quick_disk_is_nothing_to_the_links(clock: Clock) -> None:
    link = Link()
    keepalive = Keepalive(clock, [link])
    keepalive.serve_links()
    with keepalive:
        clock.now += STEP / 2
        keepalive.serve_links()
    keepalive.serve_links()
    assert link.calls == []


def test_a_slow_one_has_them_served_until_it_takes_too_long(clock: Clock) -> None:
    link = Link()
    keepalive = Keepalive(clock, [link])
    with keepalive:
        for _ in range(40):
            clock.now += STEP
            keepalive.serve_links()
            assert keepalive.waited == pytest.approx(clock.now - 100.0)
    assert len(link.calls) == pytest.approx(LIMIT / STEP, abs=1)
    assert set(link.calls[:-1]) == {"poll"}
    assert link.calls[-1] == "resume"
    assert keepalive.waited == 0.0


def test_a_wait_is_over_only_when_nobody_serves_the_links(clock: Clock) -> None:
    entered, leave, order = threading.Event(), threading.Event(), list[str]()

    class Held(Link):
        def poll(self) -> None:
            entered.set()
            leave.wait(PATIENCE)
            order.append("served")

    keepalive = Keepalive(clock, [Held()])
    with keepalive:
        clock.now += 2 * STEP
        look = threading.Thread(target=keepalive.serve_links)
        look.start()
        assert entered.wait(PATIENCE)
        threading.Timer(0.01, leave.set).start()
    order.append("over")
    look.join()
    assert order == ["served", "over"]


@contextmanager
def table(path: Path, clock: Clock) -> Iterator[tuple[Table, Keepalive]]:
    script = Script()
    with Journal(path) as journal:
        devices = [
            RecordingDevice(name, []) for name in ("shoe", "sensors", "console", "shuffler", "display")
        ]
        keepalive = Keepalive(clock)
        clocks = Clocks(lambda: 1000.0, clock)
        state = recover(journal, script.started())
        made = Table(journal, state, TableDevices(*devices), clocks, keepalive=keepalive)
        made.begin(script.started())
        yield made, keepalive


def test_a_table_that_waits_for_its_disk_is_alive_for_as_long_as_links_are_served(
    tmp_path: Path, clock: Clock
) -> None:
    with table(tmp_path / "j", clock) as (_, keepalive):
        clock.now += STUCK - 0.1
        with keepalive:
            clock.now += LIMIT - 0.1
            assert keepalive.alive()
            clock.now += 0.2
            assert not keepalive.alive()
        assert keepalive.alive(), "the wait is over"
        clock.now += STUCK + 0.1
        assert not keepalive.alive()
