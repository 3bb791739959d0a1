"""Slips over HTTP."""

from pathlib import Path

from controller.config.logo import Logo
from controller.monitor.house import House
from controller.monitor.server.headers import HEADERS
from controller.past.slips.page import slip_html
from controller.past.slips.style import policy
from tests.controller.monitor.recall.pages import get, past_pages
from tests.controller.past.slips.jackpot_hit import end, jackpot_hit, slip_of
from tests.fixtures.played_journal import journal


async def test_the_page_may_use_its_own_style_and_nothing_else(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        end(at)
        answer = await get(journal(tmp_path), "/claims/1/slip")
        assert (answer.status_code, answer.text) == (200, slip_html(slip_of(tmp_path)))
    assert answer.headers["content-security-policy"] == policy()
    others = {name: value for name, value in HEADERS.items() if name != "Content-Security-Policy"}
    assert {name: answer.headers[name] for name in others} == others


async def test_a_slip_carries_the_house_of_the_pages(tmp_path: Path) -> None:
    house = House("Grand", logo=Logo("svg", b"<svg/>", 1.0))
    with jackpot_hit(tmp_path):
        async with past_pages(journal(tmp_path), house=house) as client:
            answer = await client.get("/claims/1/slip")
        assert answer.text == slip_html(slip_of(tmp_path), house=house.letterhead)
    assert "<b>Grand</b>" in answer.text


async def test_a_slip_is_in_the_language_of_the_request(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path):
        async with past_pages(journal(tmp_path)) as client:
            answer = await client.get("/claims/1/slip", headers={"Accept-Language": "es"})
            absent = await client.get("/claims/2/slip", headers={"Accept-Language": "es"})
    assert ('<html lang="es"' in answer.text, "Diez mil dólares con 15 centavos" in answer.text) == (
        True,
        True,
    )
    assert absent.json() == {"detail": "el reclamo 2 no está en el diario"}


async def test_a_slip_of_an_unknown_claim_answers_404(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path):
        answer = await get(journal(tmp_path), "/claims/2/slip")
    assert (answer.status_code, answer.json()) == (404, {"detail": "claim 2 is not in the journal"})


async def test_a_claim_that_is_not_a_number_is_refused(tmp_path: Path) -> None:
    for number in ("0", "x", "1e3", str(1 << 60)):
        assert (await get(journal(tmp_path), f"/claims/{number}/slip")).status_code == 422


async def test_a_slip_of_an_unreadable_journal_answers_503(tmp_path: Path) -> None:
    answer = await get(journal(tmp_path), "/claims/1/slip")
    assert answer.status_code == 503
    assert "is not there" in answer.json()["detail"]
