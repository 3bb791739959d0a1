"""Pages and answers about rounds of all tables."""

import re
from pathlib import Path

import pytest

from controller.calendar import Calendar, Period, ReportSettings
from controller.floor.past import reports
from controller.floor.past.answers import answer
from controller.floor.past.questions import ABOUT_REPORTS, MODULE
from controller.floor.past.settings import SETTINGS, PastSettings
from controller.monitor.past import worker
from controller.monitor.past.messages import WorkerQuestion
from controller.monitor.past.worker import WorkerPool
from controller.past.recall.query import RoundQuery
from controller.past.recall.search import search
from controller.past.recall.story import round_story
from controller.past.reports.charts import charts
from controller.past.reports.html import report_html
from controller.past.reports.making import collect_facts, make_report
from controller.past.reports.report import ReportRequest, build_report
from controller.table.record.codec import to_json
from tests.controller.floor.pages.test_access import floor
from tests.fixtures.processes import children
from tests.fixtures.random_nights import kept
from tests.fixtures.stored_floor import TABLE, StoredFloor
from tests.fixtures.waiting import PATIENCE

OF_TABLE = f"/floor/tables/{TABLE.table}/journals/{TABLE.epoch}"
PATHS = (
    "/floor/rounds",
    "/floor/rounds.csv",
    f"{OF_TABLE}/rounds/3",
    f"{OF_TABLE}/rounds/3/replay",
    "/api/v1/floor/rounds",
    f"/api/v1{OF_TABLE}/rounds/3",
    f"/api/v1{OF_TABLE}/rounds/3/steps",
    "/floor/reports",
    "/floor/reports/2023-11-14",
    "/floor/reports/2023-11-14.csv",
    "/floor/tables/bj-1/reports/2023-11-14",
    "/api/v1/floor/reports/2023-11-14",
)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The own journal of the table whose rows the floor has, in the folder of its store."""
    folder = tmp_path_factory.mktemp("floor")
    made = StoredFloor(folder / "stores")
    made.take_all(kept(folder / "table.db", 2, (9,)))
    made.close()
    return folder / "table.db"


@pytest.fixture
def past(journal: Path) -> PastSettings:
    return PastSettings(journal.with_name("stores"), {"main": ("bj-1",), "high": ("bj-7",)}, Calendar())


@pytest.mark.parametrize(("role", "status"), [("", 401), ("technician", 403), ("dealer", 403)])
async def test_only_supervisors_and_auditors_look_into_the_past(
    tmp_path: Path, past: PastSettings, role: str, status: int
) -> None:
    async with floor(tmp_path, role, past=past) as browser:
        assert [(await browser.get(path)).status_code for path in PATHS] == [status] * len(PATHS)


async def test_rounds_of_all_tables_are_listed_with_links_that_lead_to_them(
    tmp_path: Path, past: PastSettings, journal: Path
) -> None:
    own = search(journal, RoundQuery()).rounds
    async with floor(tmp_path, "auditor", past=past) as browser:
        page = (await browser.get("/floor/rounds")).text
        links = re.findall(rf'href="({OF_TABLE}/rounds/\d+)"', page)
        assert links == [f"{OF_TABLE}/rounds/{one.number}" for one in own]
        shown = await browser.get(links[2])
    assert shown.status_code == 200
    assert f"<h1>{TABLE.table}, round {own[2].number}</h1>" in shown.text
    neighbours = {f"{OF_TABLE}/rounds/{own[2].number + step}" for step in (-1, 1)}
    assert neighbours <= set(re.findall(r'href="([^"]+)"', shown.text))
    assert 'href="/rounds' not in shown.text


async def test_quick_filters_search_all_tables(tmp_path: Path, past: PastSettings, journal: Path) -> None:
    won = [one.number for one in search(journal, RoundQuery(seat=1, over=0)).rounds]
    async with floor(tmp_path, "supervisor", past=past) as browser:
        first = (await browser.get("/floor/rounds")).text
        found = (await browser.get("/floor/rounds?seat=1&above=0")).text
        none = (await browser.get("/floor/rounds?last=15")).text
    for name in ("Seat 1 won", "Seat 9", "Last 15 minutes", "This shift", "Void", "Jackpot"):
        assert re.search(
            rf'<a class="button" href="/floor/rounds\?[^"]+"( aria-label="{name}">|>{name}<)', first
        )
    assert [int(one) for one in re.findall(rf'href="{OF_TABLE}/rounds/(\d+)"', found)] == won != []
    assert 'class="button on" href="/floor/rounds?" aria-label="Seat 1 won" aria-current="true"' in found
    assert '<details class="panel search">' in found
    assert "/journals/" not in none


async def test_a_round_is_the_one_of_the_table(tmp_path: Path, past: PastSettings, journal: Path) -> None:
    own = to_json(round_story(journal, 3))
    async with floor(tmp_path, "supervisor", past=past) as browser:
        found = await browser.get(f"/api/v1{OF_TABLE}/rounds/3")
        steps = (await browser.get(f"/api/v1{OF_TABLE}/rounds/3/steps")).json()
        replay = (await browser.get(f"{OF_TABLE}/rounds/3/replay")).text
    assert found.text.replace("bj-1.journal", journal.name) == own
    assert replay.count("data-scene=") == len(steps["scenes"]) > 0


async def test_a_search_is_answered_as_json_and_csv(
    tmp_path: Path, past: PastSettings, journal: Path
) -> None:
    own = [one.number for one in search(journal, RoundQuery(seat=2)).rounds]
    async with floor(tmp_path, "supervisor", past=past) as browser:
        found = (await browser.get("/api/v1/floor/rounds?seat=2&pit=main")).json()
        none = (await browser.get("/api/v1/floor/rounds?seat=2&pit=high")).json()
        sheet = await browser.get("/floor/rounds.csv?seat=2")
        first = (await browser.get("/api/v1/floor/rounds?limit=1")).json()
        second = (await browser.get(f"/api/v1/floor/rounds?limit=1&before={first['before']}")).json()
    assert [one["number"] for one in found["rounds"]] == own
    assert none == {"rounds": [], "before": ""}
    assert len(sheet.text.splitlines()) == 1 + len(own)
    assert sheet.headers["content-disposition"] == 'attachment; filename="rounds.csv"'
    assert second["rounds"][0]["number"] == first["rounds"][0]["number"] - 1


def day_of(journal: Path) -> Period:
    """The gaming day of the rounds."""
    return Calendar().day(Calendar().day_of(search(journal, RoundQuery()).rounds[0].at))


async def test_a_report_has_a_line_for_each_name_of_a_group(
    tmp_path: Path, past: PastSettings, journal: Path
) -> None:
    day = day_of(journal)
    own = make_report(journal, ReportRequest(day, ReportSettings()))
    async with floor(tmp_path, "supervisor", past=past) as browser:
        found = (await browser.get(f"/api/v1/floor/reports/{day.key}")).json()
        high = (await browser.get(f"/api/v1/floor/reports/{day.key}?pit=high")).json()
        page = (await browser.get(f"/floor/reports/{day.key}")).text
        sheet = await browser.get(f"/floor/reports/{day.key}.csv?sheet=dealers")
    assert [line["name"] for line in found["tables"]] == ["bj-1"]
    assert found["totals"][0]["rounds"] == own.rounds > 0
    assert high["totals"][0]["rounds"] == 0
    for dealer in own.dealers:
        assert f'<th scope="row">{dealer.name}</th><td class="number">{dealer.rounds}</td>' in page
        assert f"\r\n{dealer.name},{dealer.rounds}," in sheet.text
    assert f'href="/floor/tables/bj-1/reports/{day.key}"' in page


async def test_the_report_of_a_table_is_drawn_as_at_the_table(
    tmp_path: Path, past: PastSettings, journal: Path
) -> None:
    day = day_of(journal)
    request = ReportRequest(day, ReportSettings())
    facts = collect_facts(journal, request)
    own = build_report(facts, request)
    async with floor(tmp_path, "auditor", past=past) as browser:
        page = await browser.get(f"/floor/tables/bj-1/reports/{day.key}")
    assert page.status_code == 200
    assert report_html(own, charts(own, facts)) in page.text


async def test_the_days_that_are_stored_have_links_to_their_reports(
    tmp_path: Path, past: PastSettings
) -> None:
    async with floor(tmp_path, "auditor", past=past) as browser:
        page = (await browser.get("/floor/reports")).text
        links = re.findall(r'href="(/floor/reports/[^"]+)"', page)
        statuses = [(await browser.get(link)).status_code for link in links]
    assert links[0] == f"/floor/reports/{past.archive.days()[0]}"
    assert len(links) == 4
    assert statuses == [200] * 4


@pytest.mark.parametrize(
    ("path", "status", "why"),
    [
        ("/floor/reports/someday", 422, "someday"),
        ("/api/v1/floor/reports/2023-11-14?pit=low", 422, "pit = 'low': not allowed"),
        ("/floor/reports/2023-11-14.csv?sheet=x", 422, "sheet = 'x': not allowed; allowed: tables, pits"),
        ("/floor/tables/bj-9/reports/2023-11-14", 503, "table 'bj-9': nothing of it is stored"),
        ("/api/v1/floor/rounds?pit=low", 422, "pit = 'low': not allowed; allowed: main, high"),
        ("/api/v1/floor/rounds?before=x", 422, "before = 'x': not allowed"),
        ("/floor/rounds?seat=x", 422, "seat = "),
        (f"{OF_TABLE}/rounds/99", 404, "round 99 of bj-1: the floor does not have it"),
        (f"/api/v1{OF_TABLE}/rounds/99", 404, "round 99 of bj-1: the floor does not have it"),
        ("/api/v1/floor/tables/bj-1/journals/xyz/rounds/1", 422, "epoch"),
    ],
)
async def test_what_cannot_be_answered_is_said(
    tmp_path: Path, past: PastSettings, path: str, status: int, why: str
) -> None:
    async with floor(tmp_path, "supervisor", past=past) as browser:
        found = await browser.get(path)
    assert found.status_code == status
    assert why in found.text.replace("&#39;", "'")


async def test_the_past_is_not_available_without_a_store(tmp_path: Path) -> None:
    async with floor(tmp_path, "supervisor") as browser:
        found = await browser.get("/api/v1/floor/rounds")
    assert (found.status_code, found.json()["detail"]) == (503, "the floor stores nothing here")


def test_every_question_about_reports_goes_to_the_process_that_makes_them() -> None:
    assert {*reports.ANSWERS} == ABOUT_REPORTS


async def test_worker_processes_for_rounds_and_for_reports_give_the_same_answers(
    past: PastSettings, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "TIMEOUT_SECONDS", PATIENCE)
    others, settings = children(), {SETTINGS: past.encode()}
    questions = [
        WorkerQuestion("rounds", "", {**settings, "seat": "2"}),
        WorkerQuestion("rounds sheet", "", settings),
        WorkerQuestion("report", "", {**settings, "period": day_of(journal).key}),
        WorkerQuestion("report sheet", "", {**settings, "period": day_of(journal).key}),
    ]
    async with WorkerPool(MODULE, (ABOUT_REPORTS,)) as pool:
        replies = [await pool(question) for question in questions]
        assert len(children() - others) == 2
    assert children() == others
    assert replies == [answer(question) for question in questions]
    assert {reply.status for reply in replies} == {200}
