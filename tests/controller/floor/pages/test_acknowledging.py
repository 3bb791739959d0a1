"""Acknowledging an alert of the floor: on disk first, by whom, once, and with a reason."""

import sqlite3
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from controller.access.people import Person
from controller.floor.acknowledgements import FILE, AcknowledgementTrail
from controller.floor.pages.alert_desk import FloorAlertDesk
from controller.floor.store_file import StoreError
from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.picture import FloorPicture
from tests.controller.floor.pages.test_access import floor
from tests.fixtures.floor_acts import AWAY, AwayActs
from tests.fixtures.floor_pages import pits_of

ANN = Person("Ann", "supervisor")
TEXT = "A message was not signed with its key"
PATH = "/api/v1/floor/tables/bj-001/alerts/1/acknowledgement"
WHY = {"why": "key replaced"}


def alerted() -> FloorPicture:
    """A floor with one alert about bj-001."""
    picture = FloorPicture(pits_of(4), 1000.0)
    picture.report(FloorCause("refused", "bj-001"), TEXT, 1001.0)
    return picture


async def test_an_acknowledged_alert_leaves_the_tile_and_stays_in_the_trail(tmp_path: Path) -> None:
    picture, acts = alerted(), AwayActs()
    with AcknowledgementTrail(tmp_path) as trail:
        desk = FloorAlertDesk(picture, trail, acts, lambda: 1002.0)
        await desk.acknowledge("bj-001", 1, ANN, "key replaced")
        assert picture.tiles["bj-001"].alerts == ()
    with AcknowledgementTrail(tmp_path) as trail:
        (entry,) = trail.of_table("bj-001")
        assert (entry.at, entry.since, entry.text, entry.who, entry.role, entry.why) == (
            1002.0,
            1001.0,
            TEXT,
            "Ann",
            "supervisor",
            "key replaced",
        )
        assert trail.of_table("bj-002") == ()
    assert acts.written == [("acknowledgement", asdict(entry) | {"which": "", "row": 0})]


async def test_an_alert_that_cannot_be_written_stays_open(tmp_path: Path) -> None:
    picture = alerted()
    with AcknowledgementTrail(tmp_path) as trail:
        desk = FloorAlertDesk(picture, trail, AwayActs(), time.time)
        with sqlite3.connect(tmp_path / FILE) as other:
            other.execute("DROP TABLE acknowledgement")
        other.close()
        with pytest.raises(StoreError, match="cannot be written: no such table"):
            await desk.acknowledge("bj-001", 1, ANN, "seen")
    assert [alert.who for alert in picture.tiles["bj-001"].alerts] == [""]


@pytest.mark.parametrize(("table", "number"), [("bj-002", 1), ("bj-001", 2), ("bj-999", 1)])
async def test_an_alert_of_another_table_is_not_acknowledged(tmp_path: Path, table: str, number: int) -> None:
    picture = alerted()
    with AcknowledgementTrail(tmp_path) as trail:
        desk = FloorAlertDesk(picture, trail, AwayActs(), time.time)
        with pytest.raises(LookupError, match=f"table '{table}' has no open alert {number}"):
            await desk.acknowledge(table, number, ANN, "seen")
        assert trail.of_table(table) == ()


@pytest.mark.parametrize("change", ["UPDATE acknowledgement SET who = 'Bob'", "DELETE FROM acknowledgement"])
async def test_the_trail_cannot_be_changed(tmp_path: Path, change: str) -> None:
    with AcknowledgementTrail(tmp_path) as trail:
        desk = FloorAlertDesk(alerted(), trail, AwayActs(), time.time)
        await desk.acknowledge("bj-001", 1, ANN, "seen")
    database = sqlite3.connect(tmp_path / FILE)
    with pytest.raises(sqlite3.IntegrityError, match="only added"):
        database.execute(change)
    database.close()


def test_a_file_that_is_not_a_database_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match=FILE):
        AcknowledgementTrail(tmp_path)


@pytest.mark.parametrize(
    ("role", "status"),
    [("", 401), ("dealer", 403), ("auditor", 403), ("technician", 204), ("supervisor", 204)],
)
async def test_supervisors_and_technicians_acknowledge_once(tmp_path: Path, role: str, status: int) -> None:
    async with floor(tmp_path, role, picture=alerted()) as browser:
        assert (await browser.post(PATH, json=WHY)).status_code == status
        if status == 204:
            again = await browser.post(PATH, json=WHY)
            assert (again.status_code, again.json()) == (
                409,
                {"detail": "table 'bj-001' has no open alert 1 of the floor"},
            )
            assert role.title() in (await browser.get("/floor/tables/bj-001")).text


@pytest.mark.parametrize(
    "body", [{}, {"why": " "}, {"why": "x" * 201}, {"why": "a\nb"}, {"why": "ok", "who": "Bob"}]
)
async def test_a_reason_is_needed_and_nothing_else(tmp_path: Path, body: dict[str, str]) -> None:
    async with floor(tmp_path, "supervisor", picture=alerted()) as browser:
        assert (await browser.post(PATH, json=body)).status_code == 422


async def test_an_acknowledgement_of_another_site_is_refused(tmp_path: Path) -> None:
    async with floor(tmp_path, "supervisor", picture=alerted(), csrf=False) as browser:
        assert (await browser.post(PATH, json=WHY)).status_code == 403


async def test_an_alert_stays_open_that_the_floors_own_journal_does_not_take(tmp_path: Path) -> None:
    picture = alerted()
    async with floor(tmp_path, "supervisor", picture=picture, acts=AwayActs(away=True)) as browser:
        answer = await browser.post(PATH, json=WHY)
        assert (answer.status_code, answer.json()) == (503, {"detail": AWAY})
    assert [alert.who for alert in picture.tiles["bj-001"].alerts] == [""]


async def test_an_alert_about_the_floor_itself_is_acknowledged(tmp_path: Path) -> None:
    picture, acts = alerted(), AwayActs()
    picture.report(FloorCause("full", which="JOURNAL"), "The stream JOURNAL is 70 % full", 1001.0)
    async with floor(tmp_path, "technician", picture=picture, acts=acts) as browser:
        assert "The stream JOURNAL is 70 % full" in (await browser.get("/floor/forms/alert/2")).text
        for status in (204, 409):
            answer = await browser.post("/api/v1/floor/alerts/2/acknowledgement", json=WHY)
            assert answer.status_code == status, answer.text
    assert [alert.who for alert in picture.own_alerts] == ["Technician"]
    assert acts.written[0][1]["table"] == ""


@pytest.mark.parametrize("role", ["supervisor", "technician", "auditor"])
async def test_everybody_reads_the_alerts_of_the_floor_itself_and_some_acknowledge_them(
    tmp_path: Path, role: str
) -> None:
    picture = FloorPicture(pits_of(4), 1000.0)
    picture.report(FloorCause("leader", which="grand"), "No instance announces grand", 1001.0)
    async with floor(tmp_path, role, picture=picture) as browser:
        page = (await browser.get("/floor")).text
    assert "No instance announces grand" in page
    assert ("Acknowledge: No instance announces grand" in page) == (role != "auditor")


async def test_a_screen_at_the_wall_reads_the_alerts_of_the_floor_itself_only(tmp_path: Path) -> None:
    picture = FloorPicture(pits_of(4), 1000.0)
    picture.report(FloorCause("leader", which="grand"), "No instance announces grand", 1001.0)
    async with floor(tmp_path, public=True, picture=picture) as browser:
        page = (await browser.get("/floor?wall=1")).text
    assert "No instance announces grand" in page
    assert "Acknowledge" not in page
