"""The choices that are offered to a supervisor are exactly those that the table then takes."""

from copy import deepcopy

import pytest

from controller.table.errors import NotAllowed
from controller.table.people.decisions import RULES
from controller.table.people.rulings import ruling
from controller.table.record.causes import cause
from controller.table.record.events import DeviceLost
from controller.table.record.views import RulingView
from drivers.messages import CardUnpermitted, CardUnreadable
from tests.controller.table.test_choices import CASES, Reached, again, said, seed
from tests.fixtures.state_table import StateTable

COMPARED: tuple[str, ...] = ("resume", "void")


def followed(table: Reached) -> set[str]:
    """The choices of which at least one form is taken at this table."""
    kept = tuple(table.inputs)
    taken: set[str] = set()
    for word in said(table):
        try:
            (table.accept if RULES[word.choice].preview else table.apply)(word)
            taken.add(word.choice)
        except NotAllowed:
            pass
        table.inputs = [*kept]
        table.state = again(table)
    return taken


@pytest.mark.parametrize(("game", "phase"), CASES[::3])
@pytest.mark.parametrize("waits", ["", "5d", "unread"])
def test_every_offered_choice_is_taken(game: str, phase: str, waits: str) -> None:
    table = Reached(game, seed(game, phase), phase)
    if waits:
        table.script.cards += 1
        count = table.script.cards
        table.shoe(CardUnreadable(count) if waits == "unread" else CardUnpermitted(count, waits))
    shown, taken = set(ruling(table.state).choices), followed(table)
    idle = {"entry"} if waits else {"entry", "resume"}  # there is nothing to resume
    assert taken - idle <= shown
    assert shown - {"assign"} <= taken


def test_nothing_is_to_be_said_before_a_round() -> None:
    table = StateTable()
    assert ruling(table.state) == RulingView(choices=("reload",))
    table.apply_choice("reload")
    assert ruling(table.state) == RulingView()


def test_a_waiting_card_offers_its_choices_unnamed() -> None:
    table = StateTable()
    table.deal()
    table.script.cards += 1
    table.shoe(CardUnpermitted(4, "9h"))
    shown = ruling(table.state)
    assert shown.waiting is not None
    assert (shown.waiting.count, shown.waiting.unread) == (4, False)
    assert "9h" not in repr(shown)
    [reason] = shown.reasons
    assert not reason.passes
    assert reason.choices[-2:] == ("burn", "void")
    assert "resume" not in shown.choices


def test_an_unread_card_is_to_be_named() -> None:
    table = StateTable()
    table.deal()
    table.script.cards += 1
    table.shoe(CardUnreadable(4))
    waiting = ruling(table.state).waiting
    assert waiting is not None
    assert waiting.unread


def test_a_missing_device_ends_by_itself() -> None:
    table = StateTable()
    table.deal()
    table.apply(DeviceLost("shoe", "unplugged"))
    [reason] = ruling(table.state).reasons
    assert (reason.text, reason.passes, reason.choices) == ("Missing: the shoe", True, ())


def test_lost_events_offer_to_resume_after_a_comparison() -> None:
    table = StateTable()
    table.deal()
    before = deepcopy(ruling(table.state))
    table.state.suspend(cause("events", "shoe"), "Events 3 to 4 of the shoe are lost", lasting=True)
    [reason] = ruling(table.state).reasons
    assert reason.choices == COMPARED
    table.apply_choice("resume")
    assert ruling(table.state) == before
