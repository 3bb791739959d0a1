"""Since when a device serves or does not; failed attempts do not reset it."""

import pytest

from controller.table.supervision import Supervision
from drivers.devices.classes import Shoe
from drivers.devices.device import DeviceSettings
from drivers.devices.status import DeviceStatus
from drivers.errors import Absent
from drivers.link.facts import Bookmark
from tests.fixtures.logs import Notes


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_since_time_is_when_a_device_began_or_ceased_to_serve() -> None:
    clock = Clock()
    standing = DeviceStatus("shoe", clock, lambda: None)
    for clock.now in (110.0, 120.0):
        _attempt(standing, "no such port")
    assert standing.since == 100.0
    clock.now = 130.0
    standing.advance("connecting")
    standing.advance("identifying")
    standing.advance("catching up")
    clock.now = 131.0
    standing.advance("running")
    assert standing.since == 131.0
    clock.now = 140.0
    standing.disarmed("unread")
    assert standing.since == 140.0


def _attempt(standing: DeviceStatus, why: str) -> None:
    standing.advance("connecting")
    with pytest.raises(Absent), standing.reporting_end():
        raise Absent(why)


def test_the_since_time_in_a_view_is_stable_unix_time() -> None:
    clock, wall = Clock(), Clock()
    shoe = Shoe("shoe", DeviceSettings("/nowhere", "S"), Bookmark, print, clock=clock, alive=lambda: True)
    supervision = Supervision({"shoe": shoe}, print, Notes(), clock=clock, wall=wall)
    wall.now = 5000.4
    clock.now = 103.0
    assert [view.since for view in supervision.views()] == [4997.0]
    wall.now = 9000.0
    assert [view.since for view in supervision.views()] == [4997.0]
