"""What the web server answers while no table plays."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.metadata import version

import httpx
import pytest

from controller.daemon.halted.cause import cause_at_start
from controller.daemon.halted.core import halted_core
from controller.journal.errors import JournalDamaged
from controller.languages import LANGUAGES, speaking
from controller.monitor.outage.outage import ABSENT, Cause, Outage
from controller.monitor.outage.page import application, format_time, render
from controller.monitor.server.language import RequestLanguage
from controller.past.last_meters import LastMeter
from controller.socket.client import CoreAway
from controller.socket.results import HaltedView
from tests.fixtures.metrics import check

WHY = "journal /j is damaged: row 65 does not follow from the one before"
METERS = (
    LastMeter("blazing-7s", 1234567, {"locked": 0, "reserve": 4321}, 81234, 1795190000.5, "/j", sound=True),
    LastMeter("buster", 88000, {}, 80111, 1e300, "/m <b>", sound=False),
)


HALTED = HaltedView("The journal cannot be trusted", WHY, "x.", ("Stop.",), 0.0, None)
CAUSE = Cause("The journal cannot be trusted", WHY, "Nobody could say which cards are out.", ("Stop.",))


def outage(cause: Cause = CAUSE, meters: tuple[LastMeter, ...] = METERS) -> Outage:
    return Outage("halted", "Table <7>", "easy-jack", "0.1.0", 1795190400.0, cause, meters)


async def exposed() -> str:
    return halted_core("T", "easy-jack", HALTED).metrics()


async def get(path: str, method: str = "GET") -> httpx.Response:
    wire = httpx.ASGITransport(application(outage(), exposed))
    async with httpx.AsyncClient(transport=wire, base_url="http://localhost") as client:
        return await client.request(method, path)


@pytest.mark.parametrize("path", ["/", "/rounds", "/anything/else"])
async def test_every_path_answers_with_the_halted_page(path: str) -> None:
    answer = await get(path)
    assert answer.status_code == 503
    for text in (
        "Halted",
        "The journal cannot be trusted",
        WHY,
        "What to do",
        "12,345.67",
        "43.21",
        "row 81234",
    ):
        assert text in answer.text
    assert "Table &lt;7&gt;" in answer.text
    assert "do not rely on it" in answer.text
    assert "at no time that could be" in answer.text
    assert 'http-equiv="refresh"' in answer.text


@pytest.mark.parametrize("path", ["/health", "/api/v1/table", "/api/v1/anything"])
async def test_the_api_answers_with_the_halt_as_json(path: str) -> None:
    answer = await get(path)
    assert answer.status_code == 503
    body = answer.json()
    assert body["status"] == "halted"
    assert body["cause"]["why"] == WHY
    assert body["meters"][0]["cents"] == 1234567


async def test_the_metrics_say_that_the_table_is_halted() -> None:
    answer = await get("/metrics")
    assert answer.status_code == 200
    build = f'tableside_build_info{{game="easy-jack",version="{version("tableside")}"}} 1.0\n'
    assert build in answer.text
    assert "tableside_halted 1.0\n" in answer.text
    assert "tableside_suspended 1.0\n" in answer.text
    assert check(answer.text) == ""


async def test_a_page_that_follows_the_table_is_reloaded_to_the_halted_page() -> None:
    answer = await get("/events")
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert answer.text == "retry: 1000\n\nevent: halted\ndata: 1\n\n"


async def test_the_halted_page_has_its_style_sheet() -> None:
    assert (await get("/static/halted.css")).status_code == 200


async def test_a_halted_table_takes_no_post() -> None:
    assert (await get("/", "POST")).status_code == 405


def test_the_page_says_so_when_no_copy_has_a_meter() -> None:
    assert "No copy of the journal holds a jackpot" in render(outage(meters=()))


def test_the_page_says_when_the_table_starts_anew() -> None:
    again = replace(outage(), again=1795190410.0)
    assert "restarts by itself at <time>2026-11-20 16:00:10 UTC</time>, once" in render(again)
    assert "restarts by itself" not in render(outage())


async def no_metrics() -> str:
    raise CoreAway("no core answers")


@asynccontextmanager
async def absent(back: asyncio.Event | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a web server without a daemon."""
    found = replace(outage(ABSENT), status="absent")
    wire = httpx.ASGITransport(application(found, no_metrics, back))
    async with httpx.AsyncClient(transport=wire, base_url="http://localhost") as client:
        yield client


async def test_the_page_says_that_no_daemon_runs_and_shows_the_meters_on_disk() -> None:
    async with absent() as client:
        page = await client.get("/supervisor")
        assert page.status_code == 503
        for text in ("The table&#39;s daemon does not run", "systemctl status tableside", "12,345.67"):
            assert text in page.text
        assert "Halted" not in page.text
        table = await client.get("/api/v1/table")
        assert (table.status_code, table.json()["detail"]) == (503, "The table's daemon does not run")
        assert (await client.get("/metrics")).status_code == 503, "Prometheus sees the table as down"


async def test_a_page_that_follows_goes_on_if_the_daemon_comes_back_soon() -> None:
    back = asyncio.Event()
    async with absent(back) as client:
        following = asyncio.create_task(client.get("/supervisor/events"))
        await asyncio.sleep(0.05)
        assert not following.done()
        back.set()
        assert (await following).text == "retry: 1000\n\n"


def test_a_halt_is_stamped_in_utc() -> None:
    assert format_time(1795190400.0) == "2026-11-20 16:00:00 UTC"


def test_the_page_of_a_halted_table_says_in_spanish_what_to_do() -> None:
    with speaking(LANGUAGES["es"]):
        page = render(outage(ABSENT))
    assert '<html lang="es"' in page
    assert "Deje cartas y fichas donde están. No acepte nuevas apuestas." in page


async def test_the_page_speaks_the_language_of_each_request() -> None:
    halted = cause_at_start(JournalDamaged(WHY))
    shown = outage(Cause(halted.title, halted.why, halted.means, halted.steps))
    wire = httpx.ASGITransport(RequestLanguage(application(shown, exposed)))
    async with httpx.AsyncClient(transport=wire, base_url="http://localhost") as client:
        spanish = await client.get("/", headers={"Accept-Language": "es"})
        english = await client.get("/", headers={"Accept-Language": "en"})
    assert "El diario no es de fiar" in spanish.text
    assert "Deje" not in english.text
    for step in halted.steps:
        assert step in english.text
        assert step not in spanish.text
