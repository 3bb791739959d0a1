"""Rounds, their steps and the audit log as JSON, with the statuses that are documented."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from controller.access.people import ROLES, Person
from controller.past.recall.query import RoundQuery
from controller.past.recall.search import search
from controller.table.record.codec import to_json, to_row
from controller.table.record.events import DealerOn
from controller.table.record.notes import Accessed
from tests.controller.monitor.recall.pages import get, past_pages
from tests.controller.past.export.exporting import run
from tests.fixtures.journal_files import build, overwrite
from tests.fixtures.played_journal import journal, played_table
from tests.fixtures.random_nights import kept

NIGHT = "day=2023-11-14"
"""The gaming day of the night that `kept` plays."""
PATHS = (
    "/api/v1/rounds",
    "/api/v1/rounds/3",
    "/api/v1/rounds/3/steps",
    "/api/v1/audit",
    "/audit.csv",
    f"/api/v1/seats?{NIGHT}",
    f"/api/v1/seats.csv?{NIGHT}",
)
PAGES = ("/rounds", "/rounds/3", "/rounds/3/replay", "/audit", "/audit/events")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "table.db"
    kept(path)
    return path


async def test_the_list_of_rounds_is_read_page_by_page(path: Path) -> None:
    numbers: list[int] = []
    async with past_pages(path) as client:
        asked: dict[str, str] = {"limit": "5"}
        while asked.get("before") != "0":
            answer: dict[str, Any] = (await client.get("/api/v1/rounds", params=asked)).json()
            numbers += [line["number"] for line in answer["rounds"]]
            asked["before"] = str(answer["before"])
    assert numbers == list(range(28, 0, -1))


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({"wager": "main", "seat": "2", "over": "100"}, RoundQuery(wager="main", seat=2, over=100)),
        ({"outcome": "void"}, RoundQuery(outcome="void")),
        ({"cards": "As 7"}, RoundQuery(cards=("As", "7"))),
        ({"dealer": "jo"}, RoundQuery(dealer="jo")),
        ({"person": "Zoë"}, RoundQuery(person="Zoë")),
        ({"number": "7"}, RoundQuery(number=7)),
    ],
)
async def test_what_is_asked_for_is_looked_for(path: Path, asked: dict[str, str], wanted: RoundQuery) -> None:
    answer = await get(path, "/api/v1/rounds", query=asked)
    assert answer.text == to_json(search(path, wanted))


async def test_one_round_and_its_steps(path: Path) -> None:
    async with past_pages(path) as client:
        answer = (await client.get("/api/v1/rounds/3")).json()
        steps = (await client.get("/api/v1/rounds/3/steps")).json()
    assert (answer["line"]["number"], answer["shown"]["number"]) == (3, 3)
    assert steps["scenes"][-1]["felt"]["dealer"] == answer["shown"]["dealer"]
    assert [scene["at"] for scene in steps["scenes"]] == sorted(scene["at"] for scene in steps["scenes"])


@pytest.mark.parametrize("path_of", ["/api/v1/rounds/{}", "/api/v1/rounds/{}/steps", "/rounds/{}"])
async def test_a_round_in_play_is_not_found(path: Path, path_of: str) -> None:
    answer = await get(path, path_of.format(29))
    assert answer.status_code == 404
    assert "round 29 is not in the journal: it has not ended yet" in answer.text


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"cards": "1x"}, "cards = '1x' is not a card"),
        ({"outcome": "lost"}, "'settled', 'void'"),
        ({"seat": "12"}, "9"),
    ],
)
async def test_what_is_not_allowed_is_named(path: Path, asked: dict[str, str], says: str) -> None:
    answer = await get(path, "/api/v1/rounds", query=asked)
    assert (answer.status_code, says in answer.text) == (422, True)


async def test_a_sort_of_deeds_that_there_is_not(path: Path) -> None:
    answer = await get(path, "/api/v1/audit", query={"sort": "crime"})
    assert (answer.status_code, answer.json()["detail"][:16]) == (422, "sort = 'crime': ")


@pytest.mark.parametrize("at", PATHS + PAGES)
async def test_a_damaged_journal_is_told_in_plain_words(tmp_path: Path, at: str) -> None:
    kept(tmp_path / "t.db", files=(5,))
    overwrite(tmp_path / "t.db", b"journal", b"jornaal")
    answer = await get(tmp_path / "t.db", at)
    assert answer.status_code == 503
    assert "t.db is damaged" in answer.text or "t.db cannot be read" in answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("at", PATHS + PAGES)
@pytest.mark.parametrize("role", ROLES)
async def test_only_supervisors_and_auditors_read_past_rounds(path: Path, at: str, role: Any) -> None:
    answer = await get(path, at, Person("Kim", role))
    assert answer.status_code == (200 if role in ("supervisor", "auditor") else 403)


async def test_a_table_without_a_journal_answers_503() -> None:
    assert (await get(None, "/api/v1/rounds")).status_code == 503


async def test_the_audit_log_as_a_sheet(tmp_path: Path) -> None:
    rows = [
        to_row(0.0, DealerOn("=Dana")),
        to_row(1.0, Accessed("signed in", "Ann", "supervisor", "10.0.0.7")),
    ]
    build(tmp_path / "t.db", (rows,))
    answer = await get(tmp_path / "t.db", "/audit.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="audit.csv"'
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert list(csv.reader(io.StringIO(answer.text, newline=""))) == [
        ["row", "time", "sort", "who", "further persons", "what"],
        ["2", "1970-01-01T00:00:01.000000Z", "access", "Ann", "", "signed in as supervisor at 10.0.0.7"],
        ["1", "1970-01-01T00:00:00.000000Z", "dealer", "'=Dana", "", "deals from now on"],
    ]


@pytest.mark.parametrize(
    ("asked", "spanned"),
    [
        (NIGHT, ("2023-11-14T06:00", "2023-11-15T06:00")),
        (f"{NIGHT}T22:00", ("2023-11-14T22:00", "2023-11-15T06:00")),
        (f"{NIGHT}&absent=1", ("2023-11-14T06:00", "2023-11-15T06:00", "--absent", "1")),
    ],
)
async def test_seats_are_those_that_the_command_exports(
    path: Path, asked: str, spanned: tuple[str, ...]
) -> None:
    begin, end, *others = spanned
    command = (str(path), "--what", "seats", "--from", begin, "--to", end, *others)
    lines = [json.loads(line) for line in run(*command).stdout.splitlines()]
    assert lines
    answer = await get(path, f"/api/v1/seats?{asked}")
    assert answer.json()["sessions"] == lines
    sheet = await get(path, f"/api/v1/seats.csv?{asked}")
    assert sheet.content == run(*command, "--format", "csv").stdout_bytes


async def test_a_sheet_of_seats_is_a_file(path: Path) -> None:
    answer = await get(path, f"/api/v1/seats.csv?{NIGHT}T22:00")
    assert answer.headers["content-disposition"] == 'attachment; filename="seats-2023-11-14T2200.csv"'
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("", "day"),
        ("day=yesterday", "'yesterday' is not a period; allowed: a gaming day"),
        (f"{NIGHT}T22:01", "no shift begins at '2023-11-14T22:01'"),
        (f"{NIGHT}&absent=0", "absent"),
    ],
)
async def test_a_day_or_an_absence_that_is_not_allowed(path: Path, asked: str, says: str) -> None:
    answer = await get(path, f"/api/v1/seats?{asked}")
    assert (answer.status_code, says in answer.text) == (422, True), answer.text


async def test_a_day_without_rounds_has_no_seats(path: Path) -> None:
    answer = await get(path, "/api/v1/seats?day=2023-11-20")
    assert (answer.status_code, answer.json()["sessions"]) == (200, [])


async def test_the_round_in_play_is_nowhere(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 close 5h Tc")
        for each in ("/api/v1/rounds", "/rounds", "/audit", "/audit/events", "/api/v1/audit"):
            answer = await get(journal(tmp_path), each)
            assert answer.status_code == 200
            assert "Tc" not in answer.text
