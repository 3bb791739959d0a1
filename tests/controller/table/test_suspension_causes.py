"""What suspends play or raises an alert, with its place; it is shown again after a restart until it is
settled."""

from pathlib import Path

import pytest

from controller.table.record.events import CardsMissing, DeviceLost, DeviceRunning, EventsMissing, Input
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply
from controller.table.view.build import build_view
from controller.table.view.console import keys, permit, prompt
from drivers.messages import CardInterrupted, CardUnpermitted, CardUnreadable, EventBody
from tests.fixtures.journal_table import RecordedTable

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


def restarted(table: RecordedTable, path: Path) -> TableState:
    """A daemon starts on the journal, and all devices come back."""
    state = table.recovered(path)
    apply(state, table.script.started())
    for device in table.script.devices:
        apply(state, table.script.up(device))
        apply(state, DeviceRunning(device))
    return state


def check(table: RecordedTable, path: Path, why: str) -> None:
    """Play is suspended for this reason, now and after a restart."""
    for state in (table.state, restarted(table, path)):
        assert state.suspension.reasons == (why,)
        assert build_view("T", state, ()).suspended == (why,)
        assert prompt(state) == (f"Suspended: {why}", 0)
        assert (keys(state), permit(state)) == (frozenset(), 0)


@pytest.mark.parametrize("cause", CARDS)
def test_a_card_without_a_place_suspends_play(cause: str, tmp_path: Path) -> None:
    body, why = CARDS[cause]
    table = RecordedTable(DEALT)
    table.script.cards += 1
    table.shoe(body)
    check(table, tmp_path / "journal", why)
    table.apply_choice("burn")
    assert table.prompt == "Seat 1 has 16: hit, stand, double, split or surrender"


@pytest.mark.parametrize("cause", INPUTS)
def test_lost_events_suspend_play_until_a_person_resumes(cause: str, tmp_path: Path) -> None:
    event, why = INPUTS[cause]
    table = RecordedTable(DEALT)
    table.script.numbers["sensors"] = 47
    table.apply(event)
    table.script.cards += isinstance(event, CardsMissing)
    check(table, tmp_path / "journal", why)
    table.apply_choice("resume")
    assert not table.state.suspension


def test_an_impossible_card_suspends_play(tmp_path: Path) -> None:
    table = RecordedTable("1:main=500 close Ts 9d Ts", decks=1)
    why = "Card Ts has come 2 times; 1 decks hold 1."
    check(table, tmp_path / "journal", why)
    table.apply_choice("resume")
    assert not table.state.suspension


def test_a_device_that_is_lost_comes_back_by_itself(tmp_path: Path) -> None:
    table = RecordedTable(DEALT)
    table.apply(DeviceLost("sensors", "unplugged"))
    assert table.prompt == "Suspended: Missing: the sensors"
    state = table.recovered(tmp_path / "journal")
    assert prompt(state)[0] == "Suspended: Missing: the sensors"
    table.apply(DeviceRunning("sensors"))
    assert table.prompt.startswith("Seat 1 has 16")


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
    """It does not change what was latched."""
    table = RecordedTable(DEALT)
    latched = dict(table.state.round.seats)
    table.play(tokens)
    assert table.state.round.seats.keys() == latched.keys()
    assert all(table.state.round.seats[seat].wagers == latched[seat].wagers for seat in latched)
    for state in (table.state, restarted(table, tmp_path / "journal")):
        assert build_view("T", state, ()).alerts == (why,)
        assert not state.suspension
