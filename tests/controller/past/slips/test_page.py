"""The page of a slip, state by state."""

import base64
import hashlib
import re
from dataclasses import replace
from datetime import UTC, timedelta, timezone
from typing import Any

import pytest

from controller.config.logo import Logo
from controller.jackpot import Claim
from controller.jackpot.claims import State
from controller.languages import LANGUAGES, speaking
from controller.past.slips.letterhead import Letterhead
from controller.past.slips.page import slip_html
from controller.past.slips.slip import JackpotSlip
from controller.past.slips.style import policy

CLAIM = Claim(
    12,
    "blazing-7s",
    7,
    2,
    ("7d", "7s", "Th"),
    "two 7s: 10% of the jackpot",
    "10%",
    123_456,
    1_234_567,
    1_111_111,
)
SLIP = JackpotSlip("Table 3", CLAIM, {"pending": 1_795_170_085.25}, 4711, bytes(32), "ab" * 32)
LATER: dict[State, float] = {"confirmed": 1_795_170_100.0, "verified": 1_795_170_200.0}


def text(slip: JackpotSlip, hours: int = -5) -> str:
    """The text that a reader sees."""
    body = slip_html(slip, timezone(timedelta(hours=hours), "EST")).partition("</style>")[2]
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def of(**changed: Any) -> JackpotSlip:
    return replace(SLIP, claim=replace(CLAIM, **changed))


@pytest.mark.parametrize(
    "said",
    [
        "Jackpot slip Table 3 No. 000012",
        "1,234.56 One thousand two hundred thirty-four dollars and 56 cents",
        "Round 7 Seat 2 Wager Blazing 7s",
        "two 7s: 10% of the jackpot",
        "7 ♦ 7 ♠ dealer shows 10 ♥",
        "Jackpot hit 2026-11-20 05:21:25 EST 10:21:25 UTC",
        "abababab abababab",
        "Row 4711",
    ],
)
def test_the_slip_shows_each_required_detail(said: str) -> None:
    assert said in text(SLIP)


@pytest.mark.parametrize(
    "said",
    [
        "Comprobante de jackpot Table 3 N.º 000012",
        "1,234.56 Mil doscientos treinta y cuatro dólares con 56 centavos",
        "Ronda 7 Puesto 2 Apuesta Blazing 7s",
        "10% de 12,345.67; después se muestran 11,111.11",
        "Aún no verificado, no lo pague.",
        "Recibido por",
    ],
)
def test_the_slip_is_in_the_language_of_the_person_who_prints_it(said: str) -> None:
    with speaking(LANGUAGES["es"]):
        assert said in text(SLIP)


@pytest.mark.parametrize(
    ("state", "mark"),
    [
        ("pending", "pending"),
        ("confirmed", "pending"),
        ("checked", "pending"),
        ("verified", None),
        ("paid", "copy"),
        ("void", "void"),
    ],
)
def test_a_slip_that_is_not_to_be_paid_is_marked(state: str, mark: str | None) -> None:
    found = re.search(r'<p class="mark">(\w+)</p>', slip_html(of(state=state), UTC))
    assert (found[1] if found else None) == mark
    assert ("do not pay" in text(of(state=state, why="a wrong card"))) == (mark is not None)


def test_each_name_stands_at_its_step_and_below_its_line() -> None:
    signed = replace(of(state="verified", dealer="Maria", supervisor="Ann"), times={**LATER, **SLIP.times})
    shown = text(signed)
    assert "Confirmed by dealer Maria 2026-11-20 05:21:40 EST" in shown
    assert "Verified by supervisor Ann 2026-11-20 05:23:20 EST" in shown
    assert "Paid to come" in shown
    assert "Maria Dealer Ann Supervisor Paid by Received by" in shown
    assert "Second" not in shown


def test_a_claim_by_two_has_a_second_signature() -> None:
    shown = text(replace(of(state="checked", by_two=True, supervisor="Ann"), times={"checked": 1.0}))
    assert (
        "Verified by supervisor Ann 1969-12-31 19:00:01 EST 00:00:01 UTC Verified by second to come" in shown
    )
    assert "Second person" in shown


def test_void_tells_who_and_why_and_is_not_signed_for() -> None:
    shown = text(
        replace(of(state="void", voided_by="Ann", why="a wrong card", tax=True), times={"void": 1.0})
    )
    assert "Void, do not pay. a wrong card" in shown
    assert "Ann Void by" in shown
    assert "Received by" not in shown
    assert "Tax form" not in shown


def test_void_tells_what_was_done_before() -> None:
    void = of(state="void", by_two=True, dealer="Maria", supervisor="Ann", voided_by="Bob")
    shown = text(replace(void, times={"pending": 1.0, "confirmed": 2.0, "checked": 3.0, "void": 4.0}))
    assert "Confirmed by dealer Maria" in shown
    assert "Verified by supervisor Ann" in shown
    assert "Voided Bob 1969-12-31 19:00:04 EST" in shown
    assert "to come" not in shown


def test_a_tax_form_only_where_it_is_due() -> None:
    assert "Tax form needed" in text(of(tax=True))
    assert "Tax form" not in text(SLIP)


def test_a_slip_without_evidence_or_table_name_says_so() -> None:
    shown = text(replace(SLIP, evidence="", hash=b"", table=""))
    assert "Row 4711" in shown
    assert "the round has not ended yet" in shown
    assert "Jackpot slip Table No." in shown


def test_the_slip_carries_the_name_and_the_logo_of_the_house() -> None:
    logo = Logo("svg", b"<svg/>", 1.0).data_address
    shown = slip_html(SLIP, UTC, Letterhead("Grand & Co", logo))
    assert "<b>Grand &amp; Co</b> Jackpot slip" in shown
    assert '<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="">' in shown
    assert "; img-src data:;" in policy()


def test_a_slip_of_a_house_without_a_logo_has_its_name_alone() -> None:
    assert "<b>Grand</b> Jackpot slip" in slip_html(SLIP, UTC, Letterhead("Grand"))
    assert "<img" not in slip_html(SLIP, UTC, Letterhead("Grand"))


def test_what_people_typed_is_text() -> None:
    shown = slip_html(of(state="void", why="<script>x</script>", voided_by="A&B"), UTC)
    assert "<script" not in shown
    assert "&lt;script&gt;x" in shown
    assert "A&amp;B" in shown


def test_nothing_comes_from_elsewhere() -> None:
    shown = slip_html(SLIP, UTC)
    assert not re.findall(r"src=|href=|url\(|@import|https?:|<script|<link|<img", shown)
    assert shown == slip_html(SLIP, UTC)
    assert "script-src" not in policy()
    assert policy().startswith("default-src 'none'; style-src 'sha256-")


def test_the_policy_is_for_the_style_that_is_there() -> None:
    style = slip_html(SLIP, UTC).partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}';" in policy()
