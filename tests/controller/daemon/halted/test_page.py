"""What a halted table answers."""

import httpx
import pytest

from controller.daemon.halted.cause import HaltCause, cause_at_start, cause_in_play
from controller.daemon.halted.core import halted_core
from controller.daemon.halted.page import HaltedTable, application, format_time, render
from controller.jackpot import Books, Unbalanced
from controller.journal.errors import JournalDamaged, JournalError
from controller.past.last_meters import LastMeter
from controller.process.traces import fault_location, trace
from tests.fixtures.metrics import check

WHY = "journal /j is damaged: row 65 does not follow from the one before"
METERS = (
    LastMeter("blazing-7s", 1234567, {"locked": 0, "reserve": 4321}, 81234, 1795190000.5, "/j", sound=True),
    LastMeter("buster", 88000, {}, 80111, 1e300, "/m <b>", sound=False),
)


def halted(cause: HaltCause | None = None, meters: tuple[LastMeter, ...] = METERS) -> HaltedTable:
    found = cause or cause_at_start(JournalDamaged(WHY))
    return HaltedTable("Table <7>", "easy-jack", "0.1.0", 1795190400.0, found, meters)


def bug() -> ValueError:
    """A bug whose values hold a face-down card."""
    try:
        raise ValueError("Ts of 9 is no card")
    except ValueError as error:
        return error


async def get(path: str, method: str = "GET") -> httpx.Response:
    wire = httpx.ASGITransport(application(halted(), halted_core(halted()).metrics()))
    async with httpx.AsyncClient(transport=wire, base_url="http://localhost") as client:
        return await client.request(method, path)


@pytest.mark.parametrize("path", ["/", "/rounds", "/anything/else"])
async def test_every_path_answers_with_the_halted_page(path: str) -> None:
    answer = await get(path)
    assert answer.status_code == 503
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
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
    assert 'tableside_build_info{game="easy-jack",version="0.1.0"} 1.0\n' in answer.text
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
    assert "No copy of the journal holds a jackpot" in render(halted(meters=()))


def unbalanced() -> JournalError:
    """As a start finds it."""
    with pytest.raises(Unbalanced) as caught:
        Books(display=5)
    error = JournalDamaged("the journal cannot be replayed: books")
    error.__cause__ = caught.value
    return error


TITLES = {
    "The journal cannot be trusted": cause_at_start(JournalDamaged(WHY)),
    "The journal cannot be used": cause_at_start(JournalError("journal /j is not writable")),
    "The jackpots' books do not add up": cause_at_start(unbalanced()),
    "The journal cannot be written": cause_in_play(JournalError("row 3 cannot be written: disk is full")),
    "The software failed": cause_in_play(bug()),
}


@pytest.mark.parametrize("title", TITLES)
def test_each_cause_says_what_to_do(title: str) -> None:
    cause = TITLES[title]
    assert cause.title == title
    assert len(cause.steps) >= 3
    assert all(text.endswith(".") for text in (cause.means, *cause.steps))
    assert f'<h2 id="title">{title.replace(chr(39), "&#39;")}</h2>' in render(halted(cause))


def test_unbalanced_meter_books_halt_a_running_table() -> None:
    error = unbalanced().__cause__
    assert error is not None
    assert cause_in_play(error).title == "The jackpots' books do not add up"
    assert "display" in cause_in_play(error).why


def test_a_fault_is_told_without_its_values() -> None:
    text = f"{render(halted(cause_in_play(bug())))} {fault_location(bug())} {trace(bug())}"
    assert "ValueError in bug, line " in text
    assert "Ts" not in text.replace("Tableside", "")


def test_a_halt_is_stamped_in_utc() -> None:
    assert format_time(1795190400.0) == "2026-11-20 16:00:00 UTC"
