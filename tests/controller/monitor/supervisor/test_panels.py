"""What a supervisor and an auditor see in real situations."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from controller.access.people import Person
from controller.currency.formatting import amount_text
from controller.monitor.live.formatting import clock_seconds
from controller.monitor.paths import STATIC
from controller.monitor.supervisor.page import SUPERVISOR
from controller.table.record.views import AcknowledgedView, TableView
from tests.controller.monitor.supervisor.situations import (
    ANN,
    AUDITOR,
    claims,
    panel,
    quiet,
    requests,
    stray,
    whole,
)
from tests.controller.monitor.test_table_page import EVIL, parsed

SITUATIONS: dict[str, Callable[[], TableView]] = {
    "quiet": quiet,
    "stray": stray,
    "requests": requests,
    "claims": claims,
}


def opens(drawn: str) -> list[str]:
    """The forms that its buttons open."""
    return re.findall(r'data-form="([^"]+)"', drawn)


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("person", [ANN, AUDITOR], ids=lambda person: person.role)
class TestPage:
    def test_is_well_formed_and_inert(self, situation: str, person: Person) -> None:
        tags = parsed(whole(SITUATIONS[situation](), person)).tags
        for tag, attributes in tags:
            assert not [name for name in attributes if name.startswith(("on", "hx-on")) or name == "style"]
            assert tag != "script" or (attributes["src"] or "").startswith("/static/")
        ids = [at["id"] for _, at in tags if "id" in at]
        assert len(ids) == len(set(ids))
        swapped = [at["sse-swap"] for _, at in tags if "sse-swap" in at]
        assert sorted(map(str, swapped)) == sorted(one.name for one in SUPERVISOR.panels)

    def test_what_it_links_exists(self, situation: str, person: Person) -> None:
        tags = parsed(whole(SITUATIONS[situation](), person)).tags
        linked = [at.get("href") or at.get("src") or "" for tag, at in tags if tag in ("link", "script")]
        own = [link for link in linked if link != "/house/style.css"]
        assert all((STATIC / link.removeprefix("/static/")).is_file() for link in own)


def test_the_books_of_a_jackpot_are_shown_to_supervisors_and_auditors() -> None:
    (meter,) = claims().meters
    for person in (ANN, AUDITOR):
        drawn = panel("books", claims(), person)
        for part in ("locked", "reserve", "overflow", "paid"):
            amount = amount_text(getattr(meter.books, part) // 10000)
            assert re.search(rf"<dt>{part}</dt><dd>{re.escape(amount)}</dd>", drawn), part
        assert f"<dt>hits</dt><dd>{meter.books.hits}</dd>" in drawn
        assert "contribution 12.50% of each stake, reserve 2.50%" in drawn
        assert "after the next win:" in drawn
    assert "No jackpot at this table." in panel("books", replace(claims(), meters=()), ANN)


def test_claims_say_what_is_next_and_who_signed() -> None:
    drawn = panel("claim-steps", claims(), ANN)
    for said in ("claim 7", "Hand confirmed", "Verify as second", "A. Smith", "Last hits: 3", "tax form"):
        assert said in drawn, said


@pytest.mark.parametrize("situation", SITUATIONS)
def test_an_auditor_sees_the_same_without_a_button(situation: str) -> None:
    view = SITUATIONS[situation]()
    for one in SUPERVISOR.panels:
        drawn = panel(one.name, view, AUDITOR)
        assert "<button" not in drawn
    assert "<dialog" not in whole(view, AUDITOR)
    assert panel("tile", view, AUDITOR) == panel("tile", view, ANN)


class TestRuling:
    def test_reasons_with_the_choices_that_fit(self) -> None:
        drawn = panel("ruling", stray())
        first, _, second = drawn.partition("Missing: the console")
        choices = ["card", "assign", "reread", "burn", "void"]
        assert opens(first) == [f"decision/{choice}" for choice in choices]
        assert "Supervisor decision needed" in first
        assert "Clears automatically" in second
        assert opens(second) == ["decision/correct", "decision/reload", "decision/entry"]

    def test_a_quiet_table(self) -> None:
        drawn = panel("ruling", quiet())
        assert "No decision is needed" in drawn
        assert "decision/void" in opens(drawn)
        assert "decision/resume" not in opens(drawn)

    def test_each_meter_has_a_form(self) -> None:
        between = replace(claims(), phase="betting")
        assert "meter/blazing-7s" in opens(panel("ruling", between))
        for view in (replace(between, phase="playing"), replace(between, testing="Tom, since 19:00")):
            assert "meter/blazing-7s" not in opens(panel("ruling", view))


class TestApprovals:
    def test_who_may_answer_what(self) -> None:
        assert opens(panel("approvals", requests())) == [
            "request/4/withdraw",
            "request/5/grant",
            "request/5/decline",
        ]

    def test_a_grant_that_is_not_enough(self) -> None:
        drawn = panel("approvals", requests())
        assert "You granted this request" in drawn
        assert drawn.count("Needs one more person") == 3
        other = panel("approvals", requests(), Person("Bob", "supervisor"))
        assert "request/6/grant" in opens(other)
        assert "request/4/grant" in opens(other)

    def test_what_became_of_the_last(self) -> None:
        drawn = panel("approvals", requests())
        assert "Last answers: 1" in drawn
        assert "granted by B. Okafor" in drawn


class TestClaims:
    def test_the_next_step_is_for_who_may_take_it(self) -> None:
        view = claims()
        drawn = panel("claim-steps", view)
        for claim in view.claims:
            forms = [form for form in opens(drawn) if form.startswith(f"claim/{claim.number}/")]
            wanted = [step for step in ("verify", "second", "pay", "void") if step in claim.steps]
            assert forms == [f"claim/{claim.number}/{step}" for step in wanted]

    def test_who_has_signed_is_told_why_not(self) -> None:
        smith = panel("claim-steps", claims(), Person(" a. SMITH", "supervisor"))
        checked = [claim.number for claim in claims().claims if claim.state == "checked"]
        assert checked
        assert not [form for form in opens(smith) if form.endswith("/second")]
        assert smith.count("You signed an earlier step") == len(checked)
        assert "This step needs a third person" in smith

    def test_the_dealer_may_not_void_it(self) -> None:
        moreau = opens(panel("claim-steps", claims(), Person("D. Moreau", "supervisor")))
        pending = [claim.number for claim in claims().claims if claim.state == "pending"]
        assert [form for form in moreau if form.endswith("/void")] == [f"claim/{one}/void" for one in pending]

    def test_slips_and_last_hits(self) -> None:
        drawn = panel("claim-steps", claims())
        assert all(f'href="/claims/{claim.number}/slip"' in drawn for claim in claims().claims)
        assert "Last hits: 3" in drawn

    def test_second_steps_are_shown_before_they_are_due(self) -> None:
        one = next(claim for claim in claims().claims if claim.state == "confirmed")
        for by_two in (True, False):
            drawn = panel("claim-steps", replace(claims(), claims=(replace(one, by_two=by_two),)))
            assert ("Verified by another person" in drawn) == by_two


class TestAlarms:
    def test_since_when_how_often_and_a_button(self) -> None:
        drawn = panel("alarms", stray())
        assert 'data-send="POST /api/v1/alerts/3/acknowledgement"' in drawn
        assert 'data-since="1000000000.0"' in drawn
        assert "2 times" in drawn

    def test_one_whose_cause_has_ended_says_so_and_is_not_announced(self) -> None:
        view = stray()
        over = replace(view.alarms[0], count=1, last=1e9, ended=1e9 + 26 * 60 + 10)
        drawn = panel("alarms", replace(view, alarms=(over,)))
        raised, ended = clock_seconds(over.first), clock_seconds(1e9 + 26 * 60 + 10)
        assert f"raised at {raised}, ended at {ended} after 26 min" in " ".join(
            re.sub(r"<[^>]+>", "", drawn).split()
        )
        assert "data-news" not in drawn
        assert "acknowledgement" in drawn

    def test_who_acknowledged_the_last(self) -> None:
        view = stray()
        done = AcknowledgedView(view.alarms[0], "B. Okafor", 1e9 + 99)
        drawn = panel("alarms", replace(view, alarms=(), acknowledged=(done,)))
        assert "No open alerts" in drawn
        assert "<b>B. Okafor</b>" in drawn


def test_what_people_typed_is_text() -> None:
    view = requests()
    said = replace(view.requests[0], why=EVIL, sentences=(EVIL,), who=EVIL)
    drawn = whole(replace(view, requests=(said,), croupier=EVIL), Person(EVIL, "supervisor"))
    assert EVIL not in drawn
    assert parsed(drawn).open == []
