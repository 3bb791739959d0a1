"""Seats that the configuration switches off and on again, with a restart in between."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.process_table import ProcessTable

UNPLAYED = "Seat 5, main, is not in play: the chips there are no wager"


@pytest.fixture
def seated(tmp_path: Path) -> Iterator[ProcessTable]:
    with ProcessTable(tmp_path / "table") as house, house.with_hands():
        yield house


def start(house: ProcessTable, seats: int) -> None:
    """The daemon starts with this many seats in its configuration."""
    house.stop_daemon()
    config = house.stage.config
    kept = [line for line in config.read_text().splitlines() if not line.startswith("seats = ")]
    config.write_text("\n".join(kept).replace("[table]", f"[table]\nseats = {seats}"))
    house.start_daemon()


def test_chips_laid_on_a_seat_while_it_is_switched_off_are_a_wager_once_it_is_back(
    seated: ProcessTable,
) -> None:
    seated.start_daemon()
    seated.until(lambda view: not view.suspended)
    start(seated, 3)
    seated.until(lambda view: not view.suspended)
    seated.hands["sensors"].ask("put", seat=5, spot=0, cents=1000)
    view = seated.until(lambda view: UNPLAYED in view.alerts)
    assert len(view.seats) == 3
    start(seated, 7)
    view = seated.until(lambda view: not view.suspended)
    (main, *_) = view.seats[4].spots
    assert (main.present, main.cents) == (True, 1000)
    assert UNPLAYED not in view.alerts
    assert [alarm.ended is not None for alarm in view.alarms if alarm.text == UNPLAYED] == [True]
    assert view.prompt.startswith("Place your bets: 1 wager")
