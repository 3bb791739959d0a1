"""What stops play or alerts somebody, and says where; it is shown again after a start, until it is over."""

from pathlib import Path

import pytest

from controller.table.record.events import CardsMissing, DeviceLost, DeviceRunning, EventsMissing, Input
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply
from controller.table.view.build import view
from controller.table.view.console import keys, permit, prompt
from drivers.messages import CardInterrupted, CardUnpermitted, CardUnreadable, EventBody
from tests.controller.table.kept import Kept

DEALT = "1:main=1000 2:main=1000 close 8h 9c 9d 8s 8c Qh"
CARDS: dict[str, tuple[EventBody, str]] = {
    "unexpected": (CardUnpermitted(7, "5d"), "Card 7 left the shoe although it was locked"),
    "unread": (CardUnreadable(7), "Card 7 could not be read"),
    "interrupted": (CardInterrupted(7), "Card 7 was on its way when the shoe lost its power"),
}
INPUTS: dict[str, tuple[Input, str]] = {
    "events lost": (
        EventsMissing("sensors", b"\1" * 8, 40, 47),
        "Events 40 to 47 of the sensors are lost: compare the table with the page",
    ),
    "cards lost": (
        CardsMissing("shoe", 7, 6),
        "The shoe gave out 7 cards, but 6 were reported",
    ),
}


def restarted(told: Kept, path: Path) -> TableState:
    """A daemon starts on the journal, and all devices come back."""
    state = told.reborn(path)
    apply(state, told.script.started())
    for device in told.script.devices:
        apply(state, told.script.up(device))
        apply(state, DeviceRunning(device))
    return state


def check(told: Kept, path: Path, why: str) -> None:
    """Play stands still for this, now and after a start."""
    for state in (told.state, restarted(told, path)):
        assert state.suspension.reasons == (why,)
        assert view("T", state, ()).suspended == (why,)
        assert prompt(state) == (f"Suspended: {why}", 0)
        assert (keys(state), permit(state)) == (frozenset(), 0)


@pytest.mark.parametrize("cause", CARDS)
def test_a_card_that_nobody_can_place(cause: str, tmp_path: Path) -> None:
    body, why = CARDS[cause]
    told = Kept(DEALT)
    told.script.cards += 1
    told.shoe(body)
    check(told, tmp_path / "journal", why)
    told.say("burn")
    assert told.prompt == "Seat 1 has 16: hit, stand, double, split or surrender"


@pytest.mark.parametrize("cause", INPUTS)
def test_something_that_was_never_reported(cause: str, tmp_path: Path) -> None:
    event, why = INPUTS[cause]
    told = Kept(DEALT)
    told.script.numbers["sensors"] = 47
    told.tell(event)
    told.script.cards += isinstance(event, CardsMissing)
    check(told, tmp_path / "journal", why)
    told.say("resume")
    assert not told.state.suspension


def test_a_card_that_cannot_exist(tmp_path: Path) -> None:
    told = Kept("1:main=500 close Ts 9d Ts", decks=1)
    why = "Card Ts has come 2 times; 1 decks hold 1."
    check(told, tmp_path / "journal", why)
    told.say("resume")
    assert not told.state.suspension


def test_a_device_that_is_lost_comes_back_by_itself(tmp_path: Path) -> None:
    told = Kept(DEALT)
    told.tell(DeviceLost("sensors", "unplugged"))
    assert told.prompt == "Suspended: Missing: the sensors"
    state = told.reborn(tmp_path / "journal")
    assert prompt(state)[0] == "Suspended: Missing: the sensors"
    told.tell(DeviceRunning("sensors"))
    assert told.prompt.startswith("Seat 1 has 16")


@pytest.mark.parametrize(
    ("tokens", "why"),
    [
        ("2:main=", "seat 2: a main wager vanished after betting closed"),
        ("3:main=500", "seat 3: a main wager appeared after betting closed"),
        ("1:main=300", "seat 1: a main wager changed after betting closed"),
        ("1:hit 2d 2:ez-bust=300", "seat 2: an ez-bust wager appeared while it is not open for anybody"),
    ],
)
def test_a_wager_out_of_its_window_is_told_by_seat_and_spot(tokens: str, why: str, tmp_path: Path) -> None:
    """It changes nothing of what was latched."""
    told = Kept(DEALT)
    latched = dict(told.state.round.seats)
    told.play(tokens)
    assert told.state.round.seats.keys() == latched.keys()
    assert all(told.state.round.seats[seat].wagers == latched[seat].wagers for seat in latched)
    for state in (told.state, restarted(told, tmp_path / "journal")):
        assert view("T", state, ()).alerts == (why,)
        assert not state.suspension
