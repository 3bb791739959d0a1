"""What satellites report becomes an alert, seldom enough that false reports do not fill the journal."""

from controller.table.record.events import Input, Noticed
from controller.table.upkeep.disk_space import PERIOD
from controller.table.upkeep.satellite_reports import SatelliteReports
from tests.fixtures.state_table import StateTable


class Reported:
    """A table that carries out what it is told, and the time."""

    def __init__(self) -> None:
        self.now = 100.0
        self.table = StateTable()
        self.told: list[Input] = []
        self.reports = SatelliteReports(self.table.state, self.tell, lambda: self.now)

    def tell(self, event: Input) -> None:
        self.told.append(event)
        self.table.apply(event)

    def texts(self) -> list[str]:
        return [event.text for event in self.told if isinstance(event, Noticed)]


def test_a_report_is_an_alert_at_once_and_its_end_comes_with_the_next_check() -> None:
    reported = Reported()
    reported.reports.take("page", "port 8080 is taken")
    reported.reports.take("page", "")
    assert reported.texts() == ["port 8080 is taken"]
    for event in reported.reports.check():
        reported.tell(event)
    assert reported.texts() == ["port 8080 is taken", ""]
    assert reported.reports.check() == []


def test_many_reports_change_the_alert_once_in_a_period() -> None:
    reported = Reported()
    for number in range(1000):
        reported.now += PERIOD / 500
        reported.reports.take("page", f"port {number} is taken")
    assert 2 <= len(reported.told) <= 3
    assert reported.reports.check()[0].text == "port 999 is taken"
