"""What a supervisor may say, as it is shown: just what the table then takes."""

from copy import deepcopy

import pytest

from controller.table.errors import NotAllowed
from controller.table.people.decisions import PREVIEWS
from controller.table.people.rulings import ruling
from controller.table.record.causes import cause
from controller.table.record.events import DeviceLost
from controller.table.record.views import RulingView
from drivers.messages import CardUnpermitted, CardUnreadable
from tests.controller.table.test_choices import CASES, Reached, again, said, seed
from tests.fixtures.state_table import Told

COMPARED: tuple[str, ...] = ("resume", "void")


def followed(table: Reached) -> set[str]:
    """The choices of which at least one is taken as the table is."""
    kept = tuple(table.inputs)
    taken: set[str] = set()
    for word in said(table):
        try:
            (table.accept if word.choice in PREVIEWS else table.tell)(word)
            taken.add(word.choice)
        except NotAllowed:
            pass
        table.inputs = [*kept]
        table.state = again(table)
    return taken


@pytest.mark.parametrize(("game", "phase"), CASES[::3])
@pytest.mark.parametrize("waits", ["", "5d", "unread"])
def test_what_is_shown_is_taken(game: str, phase: str, waits: str) -> None:
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
    told = Told()
    assert ruling(told.state) == RulingView(choices=("reload",))
    told.say("reload")
    assert ruling(told.state) == RulingView()


def test_a_card_that_waits() -> None:
    told = Told()
    told.deal()
    told.script.cards += 1
    told.shoe(CardUnpermitted(4, "9h"))
    shown = ruling(told.state)
    assert shown.waiting is not None
    assert (shown.waiting.count, shown.waiting.unread) == (4, False)
    assert "9h" not in repr(shown)
    [reason] = shown.reasons
    assert not reason.passes
    assert reason.choices[-2:] == ("burn", "void")
    assert "resume" not in shown.choices


def test_an_unread_card_is_to_be_named() -> None:
    told = Told()
    told.deal()
    told.script.cards += 1
    told.shoe(CardUnreadable(4))
    waiting = ruling(told.state).waiting
    assert waiting is not None
    assert waiting.unread


def test_a_missing_device_ends_by_itself() -> None:
    told = Told()
    told.deal()
    told.tell(DeviceLost("shoe", "unplugged"))
    [reason] = ruling(told.state).reasons
    assert (reason.text, reason.passes, reason.choices) == ("Missing: the shoe", True, ())


def test_what_a_person_compared() -> None:
    told = Told()
    told.deal()
    before = deepcopy(ruling(told.state))
    told.state.suspend(cause("events", "shoe"), "Events 3 to 4 of the shoe are lost", lasting=True)
    [reason] = ruling(told.state).reasons
    assert reason.choices == COMPARED
    told.say("resume")
    assert ruling(told.state) == before
