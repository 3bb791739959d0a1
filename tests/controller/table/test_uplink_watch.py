"""A table whose uplink does not run has an alert, which ends with what the next uplink reports."""

import pytest

from controller.table.apply.conditions import SHIPPING, UPLINK
from controller.table.upkeep.disk_space import PERIOD
from controller.table.upkeep.uplink_watch import MISSING, UplinkWatch
from tests.controller.table.test_satellite_reports import Reported


class Watched(Reported):
    """A table whose uplink is there or not; `check` runs as often as the daemon runs it."""

    def __init__(self, *, expected: bool = True) -> None:
        super().__init__()
        self.connected = False
        self.watch = UplinkWatch(self.reports, lambda: self.connected, lambda: self.now, expected=expected)

    def check(self, seconds: float = PERIOD) -> None:
        self.now += seconds
        for event in (*self.watch.check(), *self.reports.check()):
            self.tell(event)


@pytest.fixture
def watched() -> Watched:
    return Watched()


def test_an_uplink_that_never_came_is_an_alert_after_ten_seconds(watched: Watched) -> None:
    watched.check(9.9)
    assert watched.texts() == []
    watched.check()
    watched.check()
    assert watched.texts() == [MISSING]


def test_an_uplink_that_is_gone_is_an_alert_until_one_reports(watched: Watched) -> None:
    watched.connected = True
    watched.check(1000)
    watched.connected = False
    watched.check()
    assert watched.table.state.standing == {UPLINK: MISSING}
    watched.connected = True
    watched.check()
    assert watched.table.state.standing == {UPLINK: MISSING}, "it has said nothing yet"
    watched.reports.take("uplink", "")
    watched.check()
    assert watched.table.state.standing == {}


def test_a_short_restart_raises_no_alert(watched: Watched) -> None:
    for _ in range(5):
        watched.connected = True
        watched.check(PERIOD - 1)
        watched.connected = False
        watched.check(PERIOD - 1)
    assert watched.texts() == []


def test_alerts_end_at_a_table_that_has_no_uplink_any_more() -> None:
    watched = Watched(expected=False)
    watched.table.state.set_standing(UPLINK, MISSING)
    watched.table.state.set_standing(SHIPPING, "other rows")
    watched.check()
    watched.check()
    watched.check()
    assert watched.table.state.standing == {}
    assert watched.texts() == ["", ""]
