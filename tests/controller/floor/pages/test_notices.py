"""The page of notices: who sees it, who enters one, and what is refused."""

import time
from pathlib import Path

import pytest

from controller.calendar import Calendar
from tests.controller.floor.pages.test_access import floor
from tests.fixtures.floor_acts import AWAY, AwayActs

PATH = "/api/v1/floor/notices"
DAY = 86400.0


def body(**changed: object) -> dict[str, object]:
    """A test at bj-001 in four days."""
    begins = Calendar().format_time(time.time() + 4 * DAY, "%Y-%m-%dT%H:%M")
    plain: dict[str, object] = {
        "kind": "test",
        "table": "bj-001",
        "persons": "Cy Tech",
        "begins": begins,
        "minutes": 120,
        "why": "lab test",
    }
    return plain | changed


async def test_a_supervisor_enters_a_notice_that_everybody_of_the_floor_sees(tmp_path: Path) -> None:
    acts = AwayActs()
    async with floor(tmp_path, "supervisor", acts=acts) as browser:
        made = await browser.post(PATH, json=body(asset="A-17"))
        assert made.status_code == 201, made.text
        assert [kind for kind, _ in acts.written] == ["notice"]
        found = made.json()
        assert (found["table"], found["asset"], found["who"], found["role"]) == (
            "bj-001",
            "A-17",
            "Supervisor",
            "supervisor",
        )
        assert found["ends"] - found["begins"] == 120 * 60
        assert (await browser.get(PATH)).json() == [found]
        page = (await browser.get("/floor/notices")).text
        assert "A-17" in page
        assert "announced" in page
        assert 'data-form="notice"' in page


@pytest.mark.parametrize(
    ("role", "seen", "entered"),
    [("", 401, 401), ("dealer", 403, 403), ("auditor", 200, 403), ("technician", 200, 403)],
)
async def test_others_enter_no_notice(tmp_path: Path, role: str, seen: int, entered: int) -> None:
    async with floor(tmp_path, role) as browser:
        assert (await browser.get("/floor/notices")).status_code == seen
        assert (await browser.get("/floor/forms/notice")).status_code == entered
        assert (await browser.post(PATH, json=body())).status_code == entered


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"table": "bj-999"}, "table = 'bj-999': not on this floor; allowed: bj-001, bj-002, bj-003, bj-004"),
        ({"minutes": -1}, "minutes = -1: not allowed; allowed: 1 to 10080 minutes"),
        ({"begins": "2026-01-01T09:00"}, "begins = '2026-01-01T09:00': too soon; allowed: 72 hours from now"),
        ({"kind": "installation"}, "software = '': missing; needed: a text"),
    ],
)
async def test_a_notice_that_is_not_allowed_is_refused_with_what_is(
    tmp_path: Path, changed: dict[str, object], why: str
) -> None:
    acts = AwayActs()
    async with floor(tmp_path, "supervisor", acts=acts) as browser:
        answer = await browser.post(PATH, json=body(**changed))
        assert (answer.status_code, answer.json()["detail"][: len(why)]) == (422, why)
        assert (await browser.get(PATH)).json() == []
    assert acts.written == []


async def test_a_notice_that_the_own_journal_does_not_take_does_not_count(tmp_path: Path) -> None:
    async with floor(tmp_path, "supervisor", acts=AwayActs(away=True)) as browser:
        answer = await browser.post(PATH, json=body())
        assert (answer.status_code, answer.json()) == (503, {"detail": AWAY})
        assert (await browser.get(PATH)).json() == []


async def test_the_form_has_a_field_for_all_that_a_notice_says(tmp_path: Path) -> None:
    async with floor(tmp_path, "supervisor") as browser:
        form = (await browser.get("/floor/forms/notice")).text
    named = {"kind", "table", "asset", "persons", "software", "begins", "minutes", "why"}
    assert {name for name in named if f'name="{name}"' in form} == named
    assert f'data-send="POST {PATH}"' in form
    assert '<option value="bj-001">bj-001</option>' in form
