"""Since when a device serves, or does not: attempts that come to nothing do not begin it anew."""

import pytest

from controller.table.supervision import Supervision
from drivers.devices.classes import Shoe
from drivers.devices.device import DeviceSettings
from drivers.devices.status import Standing
from drivers.errors import Absent
from drivers.link.facts import Bookmark
from tests.controller.table.test_supervision import Notes


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_it_is_when_it_began_to_serve_or_not_to() -> None:
    clock = Clock()
    standing = Standing("shoe", clock, lambda: None)
    for clock.now in (110.0, 120.0):
        _attempt(standing, "no such port")
    assert standing.since == 100.0
    clock.now = 130.0
    standing.be("connecting")
    standing.be("identifying")
    standing.be("catching up")
    clock.now = 131.0
    standing.be("running")
    assert standing.since == 131.0
    clock.now = 140.0
    standing.disarmed("unread")
    assert standing.since == 140.0


def _attempt(standing: Standing, why: str) -> None:
    standing.be("connecting")
    with pytest.raises(Absent), standing.ending():
        raise Absent(why)


def test_a_view_tells_it_in_unix_time_that_does_not_waver() -> None:
    clock, wall = Clock(), Clock()
    shoe = Shoe("shoe", DeviceSettings("/nowhere", "S"), Bookmark, print, clock=clock, alive=lambda: True)
    supervision = Supervision({"shoe": shoe}, print, Notes(), clock=clock, wall=wall)
    wall.now = 5000.4
    clock.now = 103.0
    assert [view.since for view in supervision.views()] == [4997.0]
    wall.now = 9000.0
    assert [view.since for view in supervision.views()] == [4997.0]
