"""Every form compared with what the API accepts, and with what the table then does."""

import json
from dataclasses import replace
from typing import get_args

import pytest

from controller.access.people import Person
from controller.cards import DECK
from controller.monitor.live.renderer import templates
from controller.monitor.supervisor import request_forms
from controller.monitor.supervisor.decision_forms import SEND, decision_form
from controller.monitor.supervisor.form import Form
from controller.table.people.consequences import consequences
from controller.table.people.decisions import RULES
from controller.table.people.supervisor_commands import read_choice
from controller.table.record.causes import CauseKind, cause
from controller.table.record.choices import CHOICE_NAMES, CHOICES, OTHER_REASON, ChoiceName
from controller.table.record.events import LevelChanged
from controller.table.record.views import HIDDEN, AnsweredView, TableView
from tests.controller.monitor.supervisor.situations import (
    ANN,
    asked,
    claims,
    dealt,
    panel,
    quiet,
    requests,
    seen,
    stray,
)
from tests.controller.monitor.test_table_page import Balance, parsed
from tests.fixtures.state_table import StateTable

BOB = Person("Bob", "supervisor")
SIGNED = {"second", "token", "round"}
"""Fields that the API adds itself, or that the token of the preview stands for."""
CONFIRM = "confirm"
"""The field of every form that stays hidden unless the preview says that the act takes the password again."""


def drawn(form: Form) -> Balance:
    return parsed(templates().get_template("supervisor/form.html").render(form=form, person=BOB))


def inputs(form: Form) -> list[dict[str, str | None]]:
    return [at for tag, at in drawn(form).tags if tag in {"input", "select"} and "name" in at]


def keys(form: Form) -> set[str]:
    """The names under which everything typed and chosen goes to the API, without CONFIRM."""
    found = set(form.body)
    for one in inputs(form):
        found |= set(json.loads(one["data-body"] or "")) if "data-body" in one else {one["name"] or ""}
    return found - {CONFIRM}


def situation(chosen: ChoiceName) -> TableView:
    """A situation in which the table would take it."""
    if chosen in {"card", "assign", "reread", "burn"}:
        return stray(unread=True)
    table = dealt()
    if chosen == "undo":
        table.play("1:stand")
    if chosen == "relink":
        table.apply(LevelChanged("sevens", "closed", 0, 4, 1, "ab", "two hashes", "two hashes"))
    if chosen == "resume":
        table.state.suspend(cause("events", "shoe"), "Events 3 to 4 of the shoe are lost", lasting=True)
    return seen(table)


def with_ended() -> tuple[StateTable, TableView]:
    """A round in play, and one before it."""
    table = StateTable("ez-bust")
    table.play("1:main=1000 close 9h 5h Tc 8s close 1:stand Kd pay 1:main=500 close 2h 3h 4c 8d")
    return table, seen(table)


@pytest.mark.parametrize("chosen", CHOICE_NAMES)
class TestDecisions:
    def test_only_the_fields_that_the_choice_is_told_with(self, chosen: ChoiceName) -> None:
        form = decision_form(situation(chosen), chosen)
        assert keys(form) == {"choice", "why", *CHOICES[chosen].fields} - SIGNED
        assert (form.send, form.body["choice"]) == (SEND, chosen)

    def test_consequences_come_first_where_there_are_any(self, chosen: ChoiceName) -> None:
        assert bool(decision_form(situation(chosen), chosen).preview) == (RULES[chosen].preview is not None)

    def test_has_a_title_and_a_reason_to_type(self, chosen: ChoiceName) -> None:
        tags = drawn(decision_form(situation(chosen), chosen)).tags
        assert [at.get("id") for tag, at in tags if tag == "h2"] == ["word-title"]
        assert [at.get("required", "no") for tag, at in tags if at.get("name") == "why"] == [None]


def test_every_choice_has_a_row_and_a_rule() -> None:
    assert set(CHOICES) == set(CHOICE_NAMES) == set(RULES)
    for name, choice in CHOICES.items():
        assert choice.only_recorded == (RULES[name].preview is None)
        assert ("token" in choice.fields) != choice.only_recorded
        assert ("second" in choice.fields) == choice.may_need_two


def test_every_kind_that_a_choice_fits_exists() -> None:
    kinds = {*get_args(CauseKind), OTHER_REASON}
    assert all(choice.fits <= kinds for choice in CHOICES.values())


@pytest.mark.parametrize("chosen", ["resume", "card", "nonsense"])
def test_what_the_table_would_not_take_has_no_form(chosen: str) -> None:
    with pytest.raises(
        LookupError, match=f"{chosen} is not possible now; possible: correct, undo, reload, void"
    ):
        decision_form(quiet(), chosen)


class TestCards:
    def test_the_pad_has_all_of_them(self) -> None:
        pad = [one for one in inputs(decision_form(quiet(), "correct")) if one["name"] == "card"]
        assert sorted(str(one["value"]) for one in pad) == sorted(DECK)

    @pytest.mark.parametrize("unread", [True, False])
    def test_one_that_was_read_need_not_be_named(self, *, unread: bool) -> None:
        for chosen in ("card", "assign"):
            form = decision_form(stray(unread=unread), chosen)
            pad = [one for one in inputs(form) if one["name"] == "card"]
            assert len(pad) == 52
            assert all(("required" in one) == unread for one in pad)

    def test_no_form_names_what_lies_face_down_or_waits(self) -> None:
        for chosen in ("assign", "correct", "card"):
            html = (
                templates()
                .get_template("supervisor/form.html")
                .render(form=decision_form(stray(), chosen), person=BOB)
            )
            assert html.count("Dealer, card") <= 1
            assert '"old": "8s"' not in html
        assert HIDDEN in decision_form(stray(), "correct").picks[0].cards


class TestPicks:
    def test_each_names_a_card_that_the_table_knows_so(self) -> None:
        table, view = with_ended()
        for number in (0, 1):
            form = decision_form(view, "correct", number)
            for place in form.picks:
                for card, names in place.picks:
                    if names is None:
                        assert card == HIDDEN
                        continue
                    new = next(one for one in DECK if one[0] == card[0] and one != card)
                    said = read_choice({**form.body, **names, "card": new, "who": "Ann", "why": "seen"})
                    assert consequences(table.state, said).token

    def test_rounds_to_choose_from(self) -> None:
        _, view = with_ended()
        assert decision_form(view, "correct").rounds == (0, 1)
        ended = decision_form(view, "correct", 1)
        assert (ended.round, ended.body["round"]) == (1, 1)
        assert "round" not in decision_form(view, "correct").body
        between = replace(view, phase="betting")
        assert decision_form(between, "correct").round == 1

    def test_a_round_that_is_not_kept(self) -> None:
        with pytest.raises(LookupError, match="no card of round 7 can be put right"):
            decision_form(quiet(), "correct", 7)

    def test_hands_to_give_a_card_to(self) -> None:
        hands = decision_form(stray(), "assign").hands
        assert [place.name for place in hands] == ["Dealer", "Seat 1", "Seat 2", "Seat 3"]
        assert hands[3].named == {"seat": 3, "hand": 1}


class TestRequests:
    def test_a_grant_shows_what_follows_now(self) -> None:
        form = request_forms.answer_form(requests(), 5, "grant", ANN)
        assert form.send == "POST /api/v1/requests/5/answer"
        assert form.preview == "GET /api/v1/requests/5/preview?grant=true"
        assert keys(form) == {"grant", "why"}
        assert form.body == {"grant": True}
        assert form.may_be_silent
        assert "Something follows" not in form.sentences  # its preview shows them
        assert "Something follows" in request_forms.answer_form(requests(), 5, "decline", ANN).sentences

    @pytest.mark.parametrize(
        ("number", "answer", "person", "allowed"),
        [
            (4, "grant", ANN, "withdraw"),
            (4, "decline", ANN, "withdraw"),
            (5, "withdraw", ANN, "grant, decline"),
            (5, "shout", ANN, "grant, decline"),
            (4, "withdraw", BOB, "grant, decline"),
        ],
    )
    def test_not_by_this_person(self, number: int, answer: str, person: Person, allowed: str) -> None:
        why = f"request {number} of .*: {answer} is not possible for {person.name}; allowed: {allowed}$"
        with pytest.raises(LookupError, match=why):
            request_forms.answer_form(requests(), number, answer, person)

    def test_one_that_somebody_else_has_answered_or_that_came_too_late(self) -> None:
        with pytest.raises(LookupError, match=r"request 3 was granted by B\. Okafor"):
            request_forms.answer_form(requests(), 3, "grant", ANN)
        failed = replace(asked(8, "undo", "Dee"), state="failed")
        late = replace(quiet(), answered=(AnsweredView(failed, "", 1e9, "a card has come since"),))
        with pytest.raises(LookupError, match="request 8 came too late: a card has come since"):
            request_forms.answer_form(late, 8, "grant", ANN)
        with pytest.raises(LookupError, match="there is no open request 99; open: 4, 5, 6"):
            request_forms.answer_form(requests(), 99, "grant", ANN)

    def test_a_call_for_help_is_answered_by_coming(self) -> None:
        view = replace(quiet(), requests=(asked(7, "help", "Dee"),))
        drawn = panel("approvals", view)
        assert 'data-send="POST /api/v1/requests/7/answer" data-body=\'{"grant": true}\'' in drawn
        assert "On my way: The dealer calls" in drawn
        assert "Needs one more person" not in drawn
        assert request_forms.answer_form(view, 7, "decline", ANN).title == "Not now: The dealer calls"

    def test_an_own_one_is_withdrawn(self) -> None:
        form = request_forms.answer_form(
            replace(quiet(), requests=(asked(4, "void", "ann"),)), 4, "withdraw", ANN
        )
        assert form.body == {"grant": False}
        assert form.preview == "GET /api/v1/requests/4/preview?grant=false"


class TestClaims:
    def test_each_step_that_may_be_taken_has_a_form(self) -> None:
        for claim in claims().claims:
            for step in claim.steps:
                form = request_forms.claim_form(claims(), claim.number, step, BOB)
                assert form.send == f"POST /api/v1/claims/{claim.number}/steps"
                assert keys(form) == {"step", "why"}
                assert form.grave == (step == "void")
                assert form.may_be_silent == (step in ("second", "pay"))

    def test_no_other_has(self) -> None:
        paid = next(claim for claim in claims().claims if claim.state == "paid")
        why = f"claim {paid.number} is paid: pay is not possible; allowed: nothing more"
        with pytest.raises(LookupError, match=why):
            request_forms.claim_form(claims(), paid.number, "pay", BOB)

    def test_not_for_who_signed_before(self) -> None:
        one = next(claim for claim in claims().claims if claim.state == "checked")
        with pytest.raises(LookupError, match="this step needs a third person"):
            request_forms.claim_form(claims(), one.number, "second", Person("a. smith", "supervisor"))


class TestMeters:
    def test_asks_for_an_amount(self) -> None:
        form = request_forms.meter_form(claims(), "blazing-7s")
        assert form.send == "POST /api/v1/meters/blazing-7s"
        assert keys(form) == {"cents", "why"}
        assert "Another supervisor has to agree" in " ".join(form.sentences)

    def test_of_a_jackpot_that_there_is(self) -> None:
        with pytest.raises(LookupError, match="there is no jackpot mega"):
            request_forms.meter_form(claims(), "mega")
