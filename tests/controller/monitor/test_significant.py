"""Significant events over HTTP."""

from pathlib import Path

import pytest

from controller.journal.journal import Journal
from controller.table.record.codec import to_row
from controller.table.record.message_kinds import CODES
from controller.table.record.notes import Alert
from tests.controller.monitor.recall.pages import get, past_pages

PATH = "/api/v1/significant-events"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    with Journal(tmp_path / "t.db") as journal:
        journal.append([to_row(float(at), Alert(f"alert {at}")) for at in range(5)])
    return tmp_path / "t.db"


async def test_significant_events_are_read_page_by_page(journal: Path) -> None:
    async with past_pages(journal) as client:
        first = (await client.get(PATH, params={"limit": 3})).json()
        rest = (await client.get(PATH, params={"limit": 3, "before": first["events"][-1]["row"]})).json()
    assert [event["text"] for event in first["events"]] == ["alert 4", "alert 3", "alert 2"]
    assert [event["text"] for event in rest["events"]] == ["alert 1", "alert 0"]
    assert (first["more"], rest["more"]) == (True, False)
    assert first["events"][0] | {"text": ""} == {
        "row": 5,
        "at": 4.0,
        "code": "ALERT",
        "device": "",
        "serial": "",
        "text": "",
    }


async def test_the_api_lists_the_codes_of_significant_events(journal: Path) -> None:
    assert (await get(journal, f"{PATH}/codes")).json() == CODES


async def test_what_is_not_allowed_is_named(journal: Path) -> None:
    answer = await get(journal, PATH, query={"code": "WINDOW"})
    assert (answer.status_code, "code = 'WINDOW': not allowed" in answer.json()["detail"]) == (422, True)


@pytest.mark.parametrize("asked", [{"limit": "501"}, {"before": str(1 << 64)}, {"since": "inf"}])
async def test_a_limit_that_is_too_large_is_refused(journal: Path, asked: dict[str, str]) -> None:
    assert (await get(journal, PATH, query=asked)).status_code == 422


async def test_an_unreadable_journal_answers_503(tmp_path: Path) -> None:
    answer = await get(tmp_path / "none.db", PATH)
    assert (answer.status_code, "is not there" in answer.json()["detail"]) == (503, True)
