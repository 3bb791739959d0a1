"""Reports over HTTP, made by real processes."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from controller.access.people import ROLES, Person
from controller.calendar import ReportSettings
from controller.monitor.past.report_queue import make_in_worker
from controller.monitor.past.report_routes import SHEETS as OFFERED
from controller.monitor.past.worker import WorkerPool
from controller.past.reports.sheets import SHEETS
from controller.past.reports.wire import ReportOrder
from tests.controller.monitor.reporting import reporter
from tests.controller.past.reports.played_days import DAY, played_day
from tests.fixtures.waiting import PATIENCE
from tests.fixtures.web_server import KnownPerson, web_server
from tests.fixtures.web_server import WebServer as Web

REPORT = f"/api/v1/reports/{DAY}"
WAITING = "is being made"


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table")
    with played_day(path) as table:
        table.play_rounds(10)
    return path / "table.db"


@pytest.fixture(autouse=True)
def _reporter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fixtures.web_server.WorkerPool", partial(WorkerPool, reporter.NAME))


@pytest.fixture
def let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """No report is made before this is called."""
    path = tmp_path / "held"
    path.touch()
    monkeypatch.setenv(reporter.HELD, str(path))
    return path.unlink


async def test_a_report_is_served_as_json_sheet_and_list(journal: Path) -> None:
    async with web_server(journal=journal) as house:
        listed = (await house.client.get("/api/v1/reports")).json()
        answer = (await house.client.get(REPORT)).json()
        shift = (await house.client.get(f"{REPORT}T14:00")).json()
        sheet = await house.client.get(f"{REPORT}.csv", params={"sheet": "wagers"})
        none = await house.client.get(f"{REPORT}.csv", params={"sheet": "cards"})
    assert [(day["day"], day["rounds"]) for day in listed["days"]] == [(DAY, 10)]
    assert (answer["rounds"], shift["rounds"]) == (10, 0)
    assert sheet.headers["content-type"] == "text/csv; charset=utf-8"
    assert sheet.headers["content-disposition"] == f'attachment; filename="{DAY}-wagers.csv"'
    assert sheet.text.splitlines()[-1].startswith("all wagers,")
    assert (none.status_code, "'cards' is not a sheet; allowed: summary" in none.text) == (404, True)


async def test_the_page_says_that_it_is_being_made_and_follows(
    journal: Path, let_go: Callable[[], None]
) -> None:
    async with web_server(journal=journal) as house:
        page = (await house.client.get(f"/reports/{DAY}")).text
        assert WAITING in page
        assert f'hx-get="/reports/{DAY}/sheet"' in page
        first = (await house.client.get(f"/reports/{DAY}/sheet")).text
        assert WAITING in first
        assert "every 1s" in first
        let_go()
        assert "<svg" in await made(house, f"/reports/{DAY}/sheet")
        assert "10 rounds" in await made(house, "/reports/list")


async def made(house: Web, path: str) -> str:
    """The page that replaces the note that the report is being made."""
    async with asyncio.timeout(PATIENCE):
        while True:
            text = (await house.client.get(path)).text
            if WAITING not in text:
                return text
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("period", ["2026-11-31", "2026-11-19T15:00", "x", "2026-11-19T06:00T"])
async def test_a_report_of_an_unknown_period_answers_404(journal: Path, period: str) -> None:
    async with web_server(journal=journal) as house:
        for path in (f"/api/v1/reports/{period}", f"/api/v1/reports/{period}.csv", f"/reports/{period}"):
            assert (await house.client.get(path)).status_code == 404, path


async def test_a_report_of_an_unreadable_journal_answers_503(tmp_path: Path) -> None:
    async with web_server(journal=tmp_path / "none.db") as house:
        answer = await house.client.get(REPORT)
        assert (answer.status_code, "is not there" in answer.json()["detail"]) == (503, True)
        page = await made(house, f"/reports/{DAY}/sheet")
    assert "The report was not made:" in page
    assert "hx-get" not in page


async def test_reports_without_a_journal_answer_503() -> None:
    async with web_server() as house:
        assert (await house.client.get(REPORT)).status_code == 503


async def test_only_supervisors_and_auditors_get_reports(journal: Path) -> None:
    for role in ROLES:
        async with web_server(journal=journal, door=KnownPerson(Person("Ann", role))) as house:
            status = (await house.client.get(f"/reports/{DAY}")).status_code
        assert status == STATUS[role]


STATUS: Mapping[str, int] = {"dealer": 403, "technician": 403, "supervisor": 200, "auditor": 200}


async def test_who_printed_it_and_when_stands_on_the_paper(journal: Path) -> None:
    async with web_server(journal=journal) as house:
        page = (await house.client.get(f"/reports/{DAY}")).text
    assert "Printed by Ann" in page
    assert '<time data-zone="UTC">' in page


async def test_the_tables_loop_goes_on_while_a_report_is_made(
    journal: Path, let_go: Callable[[], None]
) -> None:
    """Another process makes the report."""
    async with web_server(journal=journal) as house:
        asked = asyncio.create_task(house.client.get(REPORT))
        for _ in range(10):
            assert (await house.client.get("/health")).status_code == 200
        assert not asked.done()
        let_go()
        assert (await asked).status_code == 200


async def test_a_report_process_that_fails_is_reported() -> None:
    async with WorkerPool("this") as workers:
        answer = await make_in_worker(workers, ReportOrder(Path("t.db"), ReportSettings()))
    assert answer.error == "the journal was not read: the log says why"


def test_the_page_offers_every_sheet() -> None:
    assert set(OFFERED) == set(SHEETS)


@pytest.mark.parametrize(
    ("module", "loaded"),
    [("controller.daemon.daemon", []), ("controller.monitor.service", ["controller.past.reports.wire"])],
)
def test_neither_the_table_nor_its_pages_load_what_makes_reports(module: str, loaded: list[str]) -> None:
    """The pages load only the messages to the process that makes them."""
    names = "print(*sorted(name for name in sys.modules if name.startswith('controller.past.reports.')))"
    output = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; {names}"], capture_output=True, check=True, text=True
    )
    assert output.stdout.split() == loaded
