"""Rounds, their steps and the audit log as JSON, with the statuses that are documented."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from controller.access.people import ROLES, Person
from controller.past.recall.query import Wanted
from controller.past.recall.search import search
from controller.table.record.codec import row
from controller.table.record.events import DealerOn
from controller.table.record.notes import Accessed
from controller.table.record.records import text
from tests.controller.monitor.recall.pages import get, library
from tests.fixtures.journal_files import build, overwrite
from tests.fixtures.played_journal import house, journal
from tests.fixtures.random_nights import kept

PATHS = ("/api/v1/rounds", "/api/v1/rounds/3", "/api/v1/rounds/3/steps", "/api/v1/audit", "/audit.csv")
PAGES = ("/rounds", "/rounds/3", "/rounds/3/replay", "/audit", "/audit/events")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "table.db"
    kept(path)
    return path


async def test_page_by_page(path: Path) -> None:
    numbers: list[int] = []
    async with library(path) as client:
        asked: dict[str, str] = {"limit": "5"}
        while asked.get("before") != "0":
            told: dict[str, Any] = (await client.get("/api/v1/rounds", params=asked)).json()
            numbers += [line["number"] for line in told["rounds"]]
            asked["before"] = str(told["before"])
    assert numbers == list(range(28, 0, -1))


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({"wager": "main", "seat": "2", "over": "100"}, Wanted(wager="main", seat=2, over=100)),
        ({"outcome": "void"}, Wanted(outcome="void")),
        ({"cards": "As 7"}, Wanted(cards=("As", "7"))),
        ({"dealer": "jo"}, Wanted(dealer="jo")),
        ({"person": "Zoë"}, Wanted(person="Zoë")),
        ({"number": "7"}, Wanted(number=7)),
    ],
)
async def test_what_is_asked_for_is_looked_for(path: Path, asked: dict[str, str], wanted: Wanted) -> None:
    answer = await get(path, "/api/v1/rounds", asked=asked)
    assert answer.text == text(search(path, wanted))


async def test_one_round_and_its_steps(path: Path) -> None:
    async with library(path) as client:
        told = (await client.get("/api/v1/rounds/3")).json()
        steps = (await client.get("/api/v1/rounds/3/steps")).json()
    assert (told["line"]["number"], told["shown"]["number"]) == (3, 3)
    assert steps["scenes"][-1]["felt"]["dealer"] == told["shown"]["dealer"]
    assert [scene["at"] for scene in steps["scenes"]] == sorted(scene["at"] for scene in steps["scenes"])


@pytest.mark.parametrize("path_of", ["/api/v1/rounds/{}", "/api/v1/rounds/{}/steps", "/rounds/{}"])
async def test_a_round_that_has_not_ended(path: Path, path_of: str) -> None:
    answer = await get(path, path_of.format(29))
    assert answer.status_code == 404
    assert "round 29 is not in the journal: it has not ended yet" in answer.text


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"cards": "1x"}, "cards = '1x': no card"),
        ({"outcome": "lost"}, "'settled', 'void'"),
        ({"seat": "12"}, "9"),
    ],
)
async def test_what_is_not_allowed_is_named(path: Path, asked: dict[str, str], says: str) -> None:
    answer = await get(path, "/api/v1/rounds", asked=asked)
    assert (answer.status_code, says in answer.text) == (422, True)


async def test_a_sort_of_deeds_that_there_is_not(path: Path) -> None:
    answer = await get(path, "/api/v1/audit", asked={"sort": "crime"})
    assert (answer.status_code, answer.json()["detail"][:16]) == (422, "sort = 'crime': ")


@pytest.mark.parametrize("at", PATHS + PAGES)
async def test_a_damaged_journal_is_told_in_plain_words(tmp_path: Path, at: str) -> None:
    kept(tmp_path / "t.db", files=(5,))
    overwrite(tmp_path / "t.db", b"journal", b"jornaal")
    answer = await get(tmp_path / "t.db", at)
    assert answer.status_code == 503
    assert "t.db is damaged" in answer.text or "t.db cannot be searched" in answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("at", PATHS + PAGES)
@pytest.mark.parametrize("role", ROLES)
async def test_whom_it_serves(path: Path, at: str, role: Any) -> None:
    answer = await get(path, at, Person("Kim", role))
    assert answer.status_code == (200 if role in ("supervisor", "auditor") else 403)


async def test_no_journal_at_all() -> None:
    assert (await get(None, "/api/v1/rounds")).status_code == 503


async def test_the_audit_log_as_a_sheet(tmp_path: Path) -> None:
    rows = [row(0.0, DealerOn("=Dana")), row(1.0, Accessed("signed in", "Ann", "supervisor", "10.0.0.7"))]
    build(tmp_path / "t.db", (rows,))
    answer = await get(tmp_path / "t.db", "/audit.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="audit.csv"'
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert list(csv.reader(io.StringIO(answer.text, newline=""))) == [
        ["row", "time", "sort", "who", "further persons", "what"],
        ["2", "1970-01-01T00:00:01.000000Z", "access", "Ann", "", "signed in as supervisor at 10.0.0.7"],
        ["1", "1970-01-01T00:00:00.000000Z", "dealer", "'=Dana", "", "deals from now on"],
    ]


async def test_the_round_in_play_is_nowhere(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        at.play("1:main=500 close 5h Tc")
        for each in ("/api/v1/rounds", "/rounds", "/audit", "/audit/events", "/api/v1/audit"):
            answer = await get(journal(tmp_path), each)
            assert answer.status_code == 200
            assert "Tc" not in answer.text
