"""The page of a linked progressive: its last hits, and what two persons decided about it."""

import time
from pathlib import Path

import pytest

from controller.calendar import Calendar
from controller.floor.past.settings import PastSettings
from controller.floor.reconciliation.ledger import FILE
from controller.floor.tables.jackpots import LinkedJackpots
from controller.floor.tables.picture import FloorPicture
from tests.controller.floor.pages.test_access import floor
from tests.fixtures.floor_pages import grand, pits_of
from tests.fixtures.level_ledger import read_log

PAGE, JSON = "/floor/levels/grand", "/api/v1/floor/levels/grand"


def shown() -> FloorPicture:
    now = time.time()
    picture = FloorPicture(pits_of(4), now)
    picture.jackpots = LinkedJackpots(("grand",), now)
    picture.jackpots.take(grand(), now)
    return picture


def past(folder: Path) -> PastSettings:
    return PastSettings(folder / "stores", {}, Calendar())


@pytest.mark.parametrize("role", ["supervisor", "technician", "auditor"])
async def test_a_level_shows_who_decided_what_and_what_was_won(tmp_path: Path, role: str) -> None:
    read_log(tmp_path / "stores", "grand")
    async with floor(tmp_path, role, picture=shown(), past=past(tmp_path)) as browser:
        assert f'href="{PAGE}"' in (await browser.get("/floor")).text
        page = (await browser.get(PAGE)).text
        found = (await browser.get(JSON)).json()
    assert "the amount is corrected from 500.00 to 700.00" in page
    assert "A. Smith, B. Jones" in page
    assert "refused: about = 2; allowed: 4 to 4, because the amount" in page
    assert [(act["n"], act["what"][:20], act["why"]) for act in found["acts"]] == [
        (5, "", ""),
        (3, "the amount is correc", "audit"),
        (2, "the parameters are s", "opening"),
        (1, "t1 is admitted with ", "test"),
    ]
    assert found["acts"][0]["refused"].startswith("about = 2; allowed: 4 to 4")
    assert [(hit["claim"][-10:], hit["cents"], hit["state"]) for hit in found["hits"]] == [
        ("/1/3/grand", 7000, "open")
    ]


async def test_a_level_shows_its_newest_acts(tmp_path: Path) -> None:
    desk = read_log(tmp_path / "stores", "grand", extra=30)
    async with floor(tmp_path, "auditor", picture=shown(), past=past(tmp_path)) as browser:
        acts = (await browser.get(JSON)).json()["acts"]
    assert [act["n"] for act in acts] == list(range(desk.state.n, desk.state.n - 25, -1))


@pytest.mark.parametrize(
    ("path", "role", "status"),
    [
        (PAGE, "", 401),
        (PAGE, "dealer", 403),
        (JSON, "", 401),
        (JSON, "dealer", 403),
        ("/floor/levels/aces", "auditor", 404),
        ("/api/v1/floor/levels/aces", "auditor", 404),
        ("/floor/levels/ACES", "auditor", 422),
        (PAGE, "auditor", 503),
        (JSON, "auditor", 503),
    ],
)
async def test_a_level_is_shown_to_the_people_of_the_floor_once_its_log_is_read(
    tmp_path: Path, path: str, role: str, status: int
) -> None:
    async with floor(tmp_path, role, picture=shown(), past=past(tmp_path)) as browser:
        assert (await browser.get(path)).status_code == status
    assert not (tmp_path / "stores" / FILE).exists()
