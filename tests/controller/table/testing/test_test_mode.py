"""Test mode: who may enter it when, what it shows, and that it leaves nothing behind."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.table.errors import NotAllowed
from controller.table.record import events
from controller.table.record.choices import ChoiceName
from controller.table.record.notes import Suspended
from controller.table.state.table_state import TableState
from controller.table.state.test_session import PATTERNS
from controller.table.state_machine import apply, due_action
from controller.table.view.build import build_view
from controller.table.view.console import key_lamps, keys, permit, prompt
from controller.table.view.display import display, levels
from controller.table.view.lamps import lamps
from drivers.messages import CardDrawn, CardUnpermitted
from drivers.protocol.codes import LAMPS, Lamp
from tests.controller.table.testing.technician import (
    AFTERNOON,
    NAMES,
    TOLD,
    betting,
    dealing,
    enters,
    leaves,
    lights,
    reports,
)
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table


@pytest.fixture
def script() -> Script:
    return Script(devices=dict(NAMES))


def says(choice: ChoiceName, device: str = "") -> events.Supervisor:
    return events.Supervisor(choice, "Ann", "seen", None, device=device)


def in_test(script: Script) -> TableState:
    """In the middle of the deal."""
    state = dealing(script)
    apply(state, enters(), AFTERNOON)
    return state


def test_test_mode_stops_play_and_is_shown_everywhere(script: Script) -> None:
    state = dealing(script)
    notes = apply(state, enters(), AFTERNOON)
    assert notes == [Suspended(f"Test mode: {TOLD}")]
    assert prompt(state) == ("TEST MODE, Tim: keys are only echoed", 0)
    assert display(state)[0] == "TEST"
    assert (permit(state), keys(state), key_lamps(state)) == (0, frozenset(), 0)
    seen = build_view("T", state, ())
    assert (seen.testing, seen.suspended) == (TOLD, (f"Test mode: {TOLD}",))


def test_leaving_gives_back_what_was_shown_before(script: Script) -> None:
    state = dealing(script)
    before = lamps(state), prompt(state), display(state), levels(state), permit(state)
    for event in (enters(), lights("win"), lights("walk"), leaves()):
        apply(state, event, AFTERNOON)
    assert (lamps(state), prompt(state), display(state), levels(state), permit(state)) == before
    assert build_view("T", state, ()).testing == ""


def test_keys_are_told_and_reach_nothing(script: Script) -> None:
    state = betting(script)
    apply(state, enters(), AFTERNOON)
    assert apply(state, script.key("close")) == []
    apply(state, script.key("hit", 3, 1250))
    assert state.round.phase == "betting"
    assert build_view("T", state, ()).echo == ("Key hit, seat 3, with 12.50", "Key close")
    assert prompt(state)[0] == "TEST MODE, Tim: Key hit, seat 3, with 12.50"
    assert not state.alerts


def test_chips_that_are_laid_and_taken_leave_no_trace(script: Script) -> None:
    state = betting(script)
    wagers = state.round.seats[1].wagers
    for event in (enters(), script.bet(1, 0, 900), script.bet(5), script.take(5), script.bet(1), leaves()):
        apply(state, event, AFTERNOON)
    assert state.chips == {(1, 0): 500, (2, 0): 1500}
    assert state.round.seats[1].wagers == wagers
    assert not state.alerts


def test_chips_that_lie_otherwise_at_the_end_are_told(script: Script) -> None:
    state = betting(script)
    for event in (enters(), script.take(1), script.bet(5, 0, 0)):
        apply(state, event, AFTERNOON)
    assert state.chips == {(1, 0): 500, (2, 0): 1500}
    apply(state, leaves())
    assert state.chips == {(2, 0): 1500, (5, 0): 0}
    assert [alert.partition("test. ")[2] for alert in state.alerts] == [
        "Seat 1, main: 5.00 before, nothing now",
        "Seat 5, main: nothing before, chips of unknown worth now",
    ]


def test_new_sensors_tell_what_lies_there_anew(script: Script) -> None:
    state = betting(script)
    apply(state, enters(), AFTERNOON)
    apply(state, script.up("sensors", "new log"))
    apply(state, replace(script.bet(2, 0, 1500), history=True))
    apply(state, leaves())
    assert state.chips == {(2, 0): 1500}
    assert [alert for alert in state.alerts if "Seat 1, main: 5.00 before, nothing now" in alert]


@pytest.mark.parametrize("kind", [CardDrawn, CardUnpermitted])
def test_a_card_is_out_and_waits_for_a_supervisor(script: Script, kind: type) -> None:
    state = in_test(script)
    cards_due, out = state.round.cards_due, state.devices["shoe"].cards
    script.cards += 1
    apply(state, script.event("shoe", kind(script.cards, "9c")))
    assert (state.round.cards_due, state.devices["shoe"].cards) == (cards_due, out + 1)
    assert "9c" not in str(build_view("T", state, ()).echo)
    apply(state, leaves())
    assert state.suspension
    assert permit(state) == 0
    apply(state, says("card"))
    assert state.round.cards_due == cards_due - 1
    assert not state.suspension


def test_a_card_to_be_read_again_is_not_read_in_test_mode(script: Script) -> None:
    state = dealing(script)
    script.cards += 1
    apply(state, script.event("shoe", CardDrawn(script.cards, "??")))
    apply(state, says("reread"))
    wanted = permit(state)
    assert wanted
    apply(state, enters(), AFTERNOON)
    assert permit(state) == 0
    apply(state, script.card("2c"))
    assert len(state.unplaced) == 2
    assert state.unplaced[0].again


@pytest.mark.parametrize(
    "word",
    [
        says("void"),
        says("resume"),
        says("reload"),
        says("burn"),
        events.ConsoleKey("close", 0, 0, "Dee"),
        events.ClaimStep(1, "confirm", "Dee", "seen"),
        events.MeterCorrection("blazing-7s", 1, "Ann", "Bob", "wrong"),
    ],
    ids=lambda word: f"{type(word).__name__} {getattr(word, 'choice', '')}",
)
def test_decisions_are_refused_in_test_mode(script: Script, word: events.Decision) -> None:
    state = in_test(script)
    with pytest.raises(NotAllowed, match=f"the table is in test mode .{TOLD}.: leave it first"):
        apply(state, word)


def test_entries_and_acknowledgements_are_taken_in_test_mode(script: Script) -> None:
    state = in_test(script)
    apply(state, says("entry", device="shoe"))
    apply(state, events.DealerOn("Dee"))
    apply(state, events.Acknowledged(state.shift.alarms.open[0].number, "Ann"))
    assert state.testing


def test_test_mode_is_entered_once_and_left_once(script: Script) -> None:
    state = betting(script)
    with pytest.raises(NotAllowed, match="is not in test mode"):
        apply(state, leaves())
    apply(state, enters(), AFTERNOON)
    with pytest.raises(NotAllowed, match=f"in test mode already: {TOLD}"):
        apply(state, enters("Tom"))
    assert apply(state, leaves("Ann"))
    assert not state.suspension


def test_the_shuffler_is_asked_for_nothing_in_test_mode(script: Script) -> None:
    state = betting(script)
    state.end_shoe()
    assert due_action(state)
    apply(state, enters(), AFTERNOON)
    assert due_action(state) is None


@pytest.mark.parametrize("pattern", [p for p in PATTERNS if p not in {"none", "walk", "single"}])
def test_all_lamps_show_a_pattern(script: Script, pattern: str) -> None:
    state = in_test(script)
    apply(state, events.LampTest(pattern, "Tim"))
    assert lamps(state) == bytes([Lamp[pattern.upper().replace(" ", "_")]]) * LAMPS
    assert prompt(state)[0] == f"TEST, lamps: {pattern}"
    assert build_view("T", state, ()).lamp_test == pattern


@pytest.mark.parametrize(("pattern", "steps"), [("walk", 7), ("single", 14)])
def test_a_walk_goes_on_with_each_key_and_ends_where_it_began(
    script: Script, pattern: str, steps: int
) -> None:
    state = in_test(script)
    shown, lit = [], set()
    apply(state, events.LampTest(pattern, "Tim"))
    for _ in range(steps):
        shown.append(lamps(state))
        lit.add(key_lamps(state))
        apply(state, script.key("hit"))
    assert len(set(shown)) == steps
    assert lamps(state) == shown[0]
    assert lit <= {1 << place for place in range(11)}
    apply(state, events.LampTest(pattern, "Tim"))
    assert lamps(state) == shown[1]


def test_one_lamp_after_the_other_is_that_of_a_spot_of_the_game(script: Script) -> None:
    """The other places of the 54 have no lamp: nobody presses 40 times for a dark felt."""
    state = in_test(script)
    sentences = []
    for _ in range(3):
        apply(state, events.LampTest("single", "Tim"))
        sentences.append((build_view("T", state, ()).lamp_test, lamps(state).index(Lamp.WIN)))
    main, side = state.game.spots
    assert sentences == [(f"seat 1, {main}", 0), (f"seat 1, {side}", 1), (f"seat 2, {main}", 6)]


def test_every_digit_of_a_jackpot_is_lit_and_no_meter_moves() -> None:
    script = Script("blackjack-x", devices=dict(NAMES))
    state = dealing(script)
    before = levels(state)
    for event in (enters(), lights("win")):
        apply(state, event, AFTERNOON)
    assert {cents for cents, _ in levels(state)} == {888_888_888}
    apply(state, lights("none"))
    assert levels(state) == before


def test_what_a_technician_saw_is_recorded(script: Script) -> None:
    state = in_test(script)
    apply(state, lights("win"))
    apply(state, lights("none", "seat 3 spot 2 dark"))
    assert state.testing
    assert state.testing.echo[0] == "Tim saw win: seat 3 spot 2 dark"


def test_faulty_lamps_are_kept_in_the_test_and_raise_an_alert_when_it_ends(script: Script) -> None:
    state = in_test(script)
    main, side = state.game.spots
    for report in (reports(3, side), reports(1, main), reports(4, main), reports(4, main, works=True)):
        apply(state, report)
    shown = build_view("T", state, ()).faulty_lamps
    assert [(lamp.seat, lamp.spot) for lamp in shown] == [(3, side), (1, main)]
    apply(state, leaves(), AFTERNOON)
    assert f"Lamps that are faulty: seat 3, {side}; seat 1, {main}. Have them mended" in state.alerts
    apply(state, enters(), AFTERNOON)
    assert build_view("T", state, ()).faulty_lamps == ()


def test_a_test_without_faulty_lamps_raises_no_alert(script: Script) -> None:
    state = in_test(script)
    for report in (reports(3, "main"), reports(3, "main", works=True), leaves()):
        apply(state, report, AFTERNOON)
    assert not [alert for alert in state.alerts if "Lamps" in alert]


@pytest.mark.parametrize(
    ("testing", "seat", "spot", "why"),
    [
        (False, 1, "main", "enter it first"),
        (True, 8, "main", "seat = 8: not allowed; allowed: 1 to 7"),
        (True, 1, "hedge", "spot = 'hedge': not allowed; allowed: main, "),
    ],
)
def test_reports_about_lamps_that_are_refused(
    script: Script, testing: bool, seat: int, spot: str, why: str
) -> None:
    state = in_test(script) if testing else dealing(script)
    with pytest.raises(NotAllowed, match=why):
        apply(state, reports(seat, spot))


@pytest.mark.parametrize(
    ("testing", "pattern", "why"),
    [(False, "win", "enter it first"), (True, "disco", "pattern = 'disco': not allowed; allowed: none, off")],
)
def test_lamp_tests_that_are_refused(script: Script, testing: bool, pattern: str, why: str) -> None:
    state = in_test(script) if testing else dealing(script)
    with pytest.raises(NotAllowed, match=why):
        apply(state, events.LampTest(pattern, "Tim"))


def test_test_mode_lasts_through_a_restart(script: Script, tmp_path: Path) -> None:
    with loop_table(tmp_path / "j", script.started()) as table:
        table.apply(*list(script.opening())[1:], script.loaded(), script.bet(1))
        table.apply(enters(), lights("win"), script.bet(4), script.key("close"))
        assert table.calls_of("console", "buzz")[-1] == (1500,)
        before = table.table.state.testing
    with loop_table(tmp_path / "j", script.started()) as again:
        assert again.table.state.testing == before
        again.apply(*map(events.DeviceRunning, NAMES), leaves())
        assert again.table.state.chips == {(1, 0): 500, (4, 0): 500}
