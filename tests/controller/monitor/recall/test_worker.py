"""The worker process that answers questions about the past."""

import asyncio
from pathlib import Path

import pytest
from fastapi import HTTPException

from controller.access.people import Person
from controller.calendar import ReportSettings
from controller.monitor.past import worker
from controller.monitor.past.answers import ANSWERS, answer
from controller.monitor.past.messages import (
    REPORT,
    SLOW_QUESTIONS,
    WorkerQuestion,
    WorkerReply,
    decode_question,
    decode_reply,
    encode_question,
    encode_reply,
)
from controller.monitor.past.worker import WorkerPool
from controller.past.reports.making import make_answer
from controller.past.reports.wire import ReportOrder, decode_answer
from tests.controller.past.reports.played_days import between
from tests.fixtures.journal_files import overwrite
from tests.fixtures.processes import children
from tests.fixtures.random_nights import kept
from tests.fixtures.waiting import PATIENCE, come_true
from tests.fixtures.web_server import web_server

STUCK = "tests.controller.monitor.recall.stuck"
"""A worker process that never replies."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "TIMEOUT_SECONDS", PATIENCE)
    monkeypatch.setattr(worker, "REPORT_SECONDS", 5 * PATIENCE)


def test_questions_and_answers_go_over_as_they_are() -> None:
    question = WorkerQuestion("rounds", "/x/t.db", {"cards": "7s\n"}, "Table 7", Person("Zoë", "auditor"))
    assert decode_question(encode_question(question)) == question
    reply = WorkerReply(200, "text/csv", b"a,b\r\n\x00\xff\n[]")
    assert decode_reply(encode_reply(reply)) == reply


async def test_the_answer_is_that_of_the_same_code_here(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=(4,))
    question = WorkerQuestion("round", str(tmp_path / "t.db"), {"number": "2"})
    async with WorkerPool() as pool:
        assert await pool(question) == answer(question)


async def test_the_worker_answers_over_a_real_connection(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=(4,))
    async with web_server(journal=tmp_path / "t.db") as house:
        pages = await asyncio.gather(*(house.client.get(f"/rounds/{number}") for number in (1, 2, 9)))
    assert [page.status_code for page in pages] == [200, 200, 404]


async def test_the_worker_draws_a_page_in_the_language_of_the_request(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=(4,))
    async with web_server(journal=tmp_path / "t.db") as house:
        page = (await house.client.get("/rounds/1", headers={"Accept-Language": "es"})).text
    assert [text in page for text in ('lang="es"', "Apuestas liquidadas", "Settled wagers")] == [
        True,
        True,
        False,
    ]


async def test_nothing_is_left_of_a_question_that_nobody_waits_for() -> None:
    others = children()
    asking = asyncio.create_task(WorkerPool(STUCK)(WorkerQuestion("rounds", "")))
    await come_true(lambda: children() > others)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert children() == others


@pytest.mark.parametrize(
    ("what", "limit"),
    [("rounds", "TIMEOUT_SECONDS"), ("audit", "TIMEOUT_SECONDS"), ("report", "REPORT_SECONDS")],
)
async def test_a_question_that_takes_too_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch, what: str, limit: str
) -> None:
    monkeypatch.setattr(worker, limit, 0.2)
    others = children()
    with pytest.raises(HTTPException, match="the journal was not read within 0 s: ask for less"):
        await WorkerPool(STUCK)(WorkerQuestion(what, ""))
    assert children() == others


def test_every_slow_question_exists() -> None:
    assert frozenset().union(*SLOW_QUESTIONS) <= {*ANSWERS, REPORT}


async def test_questions_that_read_little_share_a_process_and_those_about_events_another_one(
    tmp_path: Path,
) -> None:
    kept(tmp_path / "t.db", files=(4,))
    others, journal = children(), str(tmp_path / "t.db")
    async with WorkerPool() as pool:
        await pool(WorkerQuestion("round", journal, {"number": "2"}))
        (reading,) = children() - others
        await pool(WorkerQuestion("steps", journal, {"number": "3"}))
        assert children() - others == {reading}
        await pool(WorkerQuestion("audit", journal))
        assert {reading} < children() - others
    assert children() == others


async def test_reports_share_a_process_and_searches_another_one(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=(4, 3))
    others = children()
    order = ReportOrder(tmp_path / "t.db", ReportSettings(), between(1_700_000_000.0, 1_700_090_000.0))
    question = WorkerQuestion("report", str(order.journal), order.encode())
    async with WorkerPool() as pool:
        first = await pool(question)
        (reporting,) = children() - others
        await pool(WorkerQuestion("rounds", str(order.journal)))
        assert await pool(question) == first
        assert {reporting} < children() - others
    assert decode_answer(first.body) == make_answer(order)


async def test_searches_share_a_process_that_ends_when_nobody_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(tmp_path / "t.db", files=(4, 3))
    others = children()
    question = WorkerQuestion("rounds", str(tmp_path / "t.db"), {"seat": "1"})
    async with WorkerPool() as pool:
        replies = await asyncio.gather(pool(question), pool(question))
        (searching,) = children() - others
        monkeypatch.setattr(worker, "IDLE_SECONDS", 0.0)
        assert [*replies, await pool(question)] == [answer(question)] * 3
        await come_true(lambda: searching not in children())
        assert await pool(question) == answer(question)
    assert children() == others


async def test_the_next_search_has_its_own_reply_after_one_that_was_given_up(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=(4,))
    others = children()
    async with WorkerPool() as pool:
        asking = asyncio.create_task(pool(WorkerQuestion("rounds", str(tmp_path / "t.db"), {"seat": "1"})))
        await come_true(lambda: children() > others)
        asking.cancel()
        question = WorkerQuestion("rounds", str(tmp_path / "t.db"), {"number": "2"})
        assert await pool(question) == answer(question)


async def test_a_search_after_one_that_failed_is_answered(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=(4,))
    async with WorkerPool() as pool:
        with pytest.raises(HTTPException, match="the journal was not read: the log says why"):
            await pool(WorkerQuestion("rounds", str(tmp_path / "t.db"), language="none"))
        question = WorkerQuestion("rounds", str(tmp_path / "t.db"))
        assert await pool(question) == answer(question)


async def test_a_fault_of_ours_says_where_and_with_no_value(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(HTTPException, match="the journal was not read: the log says why"):
        await WorkerPool()(WorkerQuestion("Tc", str(tmp_path)))
    said = capfd.readouterr().err
    assert said.startswith("the question about the past has no answer: KeyError in answer, line ")
    assert "Tc" not in said


def test_damage_is_no_fault_of_ours(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=(4,))
    overwrite(tmp_path / "t.db", b"SQLite format", b"sqlite format")
    assert answer(WorkerQuestion("rounds", str(tmp_path / "t.db"))).status == 503
