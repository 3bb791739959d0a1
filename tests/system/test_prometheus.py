"""A real Prometheus watches a real table: a pulled device raises an alert, and its return ends it."""

from pathlib import Path

from tests.fixtures.process_table import ProcessTable
from tests.fixtures.waiting import until
from tests.system.scraper import prometheus

LOST = ("TablesideDeviceLost", "shoe")


def test_a_pulled_device_calls_somebody_and_its_return_ends_that(house: ProcessTable, tmp_path: Path) -> None:
    house.until_recovered()
    with prometheus(tmp_path, house.stage.web_port) as seen:
        assert LOST not in seen.firing()
        with house.unplugged("shoe"):
            until(lambda: LOST in seen.firing())
            assert ("TablesideDeviceLost", "sensors") not in seen.firing()
            until(lambda: seen.query('tableside_device_state{device="shoe",kind="running"} == 0'))
        house.until_recovered()
        until(lambda: LOST not in seen.firing())
        until(lambda: seen.query('process_resident_memory_bytes{job="tableside"} > 1e6'))
        until(lambda: seen.query("tableside_journal_rows > 0"))
