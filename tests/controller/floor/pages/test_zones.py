"""Pages about one table show times in its zone, lists across tables in that of the floor."""

import time
from pathlib import Path

import pytest

from controller.access.people import Person
from controller.calendar import Calendar
from controller.floor.approvals.standing import ACTS
from controller.floor.pages.rendering import TableHistory, detail_html, render_tile
from controller.floor.past.settings import PastSettings
from controller.floor.tables.picture import FloorPicture
from controller.process.time_zone import time_zone_in_use
from tests.controller.floor.pages.test_access import floor
from tests.controller.floor.tables.statuses import status, tile
from tests.fixtures.currency_floor import NAMES, TABLES, stored_currencies

AT = 1_700_000_010.5
"""When the round of each table ended: 22:13:30 in UTC."""
TOKYO, LOS_ANGELES = "07:13:30", "14:13:30"


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> PastSettings:
    """A floor in Tokyo."""
    archive = stored_currencies(tmp_path_factory.mktemp("floor"), "USD", "JPY")
    return PastSettings(archive.folder, {}, Calendar(zone="Asia/Tokyo"))


def picture(zone: str) -> FloorPicture:
    """The first table says that it is in this zone, the second one says nothing."""
    now = time.time()
    made = FloorPicture({"main": tuple(TABLES.values())}, now)
    made.take_status(TABLES["USD"], status(now, time_zone=zone), now, now)
    return made


@pytest.mark.parametrize(
    ("zone", "shown", "named"),
    [
        ("America/Los_Angeles", LOS_ANGELES, "PST"),
        ("Asia/Tokyo", TOKYO, "JST"),
        ("", TOKYO, "JST"),
        ("Nowhere/Land", TOKYO, "JST"),
    ],
)
async def test_a_round_has_the_times_of_its_table(
    tmp_path: Path, past: PastSettings, zone: str, shown: str, named: str
) -> None:
    name = NAMES["USD"]
    async with floor(tmp_path, "auditor", past=past, picture=picture(zone)) as browser:
        rounds = (await browser.get(f"/floor/rounds?table={name.table}")).text
        one = (await browser.get(f"/floor/tables/{name.table}/journals/{name.epoch}/rounds/1")).text
    assert TOKYO in rounds
    assert "Times are JST" in rounds
    assert shown in one
    assert named in one


async def test_a_report_names_the_zone_of_its_times(tmp_path: Path, past: PastSettings) -> None:
    day = past.calendar.day(past.calendar.day_of(AT))
    async with floor(tmp_path, "auditor", past=past, picture=picture("America/Los_Angeles")) as browser:
        every = (await browser.get(f"/floor/reports/{day.key}")).text
        dollars = (await browser.get(f"/floor/tables/{TABLES['USD']}/reports/{day.key}")).text
        yen = (await browser.get(f"/floor/tables/{TABLES['JPY']}/reports/{day.key}")).text
    assert "Times are Asia/Tokyo." in every
    assert "2023-11-14 13:00 to 2023-11-15 13:00 America/Los_Angeles" in dollars
    assert "2023-11-15 06:00 to 2023-11-16 06:00 Asia/Tokyo" in yen


def test_the_page_of_a_table_has_its_times_and_a_tile_those_of_the_floor() -> None:
    stale = tile("bj-1", stale_since=AT, time_zone="America/Los_Angeles")
    person = Person("Ann", "supervisor")
    page = detail_html(stale, person, TableHistory(), ACTS)
    assert f"No status since {LOS_ANGELES}" in page
    assert "<dt>Time zone</dt><dd>America/Los_Angeles</dd>" in page
    assert f"No status since {LOS_ANGELES}" not in render_tile(stale)
    assert time_zone_in_use() is None


def test_a_table_about_which_nothing_is_wrong_says_so_in_sentences() -> None:
    page = detail_html(tile("bj-1"), Person("Ann", "supervisor"), TableHistory(), ACTS)
    assert "No requests and no open claims." in page
    assert "There is no alert." in page
