"""A table with a commercial shoe: the dealer says that it was loaded, a person that it ended."""

from dataclasses import replace

import pytest

from controller.table.record.events import DeviceLost, DeviceRunning, DeviceUp, EventsMissing
from controller.table.state.snapshot import restore_snapshot, take_snapshot
from controller.table.state_machine import begin
from controller.table.view.console import keys, loaded_by_key, permit
from drivers.messages import CutCard
from tests.fixtures.device_inputs import LOG, Script
from tests.fixtures.state_table import StateTable

ANGEL_EYE = "angel-eye-2ex"
BEE_TEK = "bee-tek"
LOADING = "Load the shoe, then press close"


def up(script: Script, make: str, relation: str = "new log") -> DeviceUp:
    event = script.up("shoe", relation)
    return replace(event, facts=replace(event.facts, hardware=make))


def fresh(make: str, decks: int = 8) -> StateTable:
    """A table at its very start."""
    script = Script(options={"burn_cards": 0, "decks": decks})
    table = StateTable.of(begin(script.started()), script)
    table.apply(script.started())
    for device in script.devices:
        table.apply(up(script, make) if device == "shoe" else script.up(device, "new log"))
        table.apply(DeviceRunning(device))
    return table


def loaded(make: str) -> StateTable:
    table = fresh(make)
    table.apply(table.script.key("close"))
    return table


@pytest.mark.parametrize("make", [ANGEL_EYE, BEE_TEK])
def test_the_dealers_key_reports_that_the_shoe_was_loaded(make: str) -> None:
    table = fresh(make)
    assert (table.prompt, keys(table.state), permit(table.state)) == (LOADING, frozenset({"close"}), 0)
    table.apply(table.script.key("stand", 1))
    assert table.prompt == LOADING
    table.apply(table.script.key("close"))
    assert table.prompt == "Place your bets"
    table.deal("5h 7d Kc")
    assert table.state.ledger.out == 3


def test_a_shoe_of_our_own_reports_its_loading() -> None:
    table = fresh("sim")
    assert (table.prompt, keys(table.state)) == ("Load the shoe", frozenset())
    table.apply(table.script.key("close"))
    assert table.prompt == "Load the shoe"


def test_a_shoe_cannot_be_loaded_while_play_is_suspended() -> None:
    table = fresh(ANGEL_EYE)
    table.apply(DeviceLost("console", "gone"))
    assert not loaded_by_key(table.state)
    assert keys(table.state) == frozenset()


def test_the_prompt_says_what_must_be_left_of_the_last_shoe() -> None:
    table = loaded(ANGEL_EYE)
    table.deal("5h 7d Kc")
    table.apply(table.script.event("shoe", CutCard(3)))
    table.play("1:stand 2:stand")
    while table.state.round.cards_due:
        table.apply(table.script.card("9s"))
    table.apply(table.script.key("pay"))
    left = 8 * 52 - table.state.ledger.out
    assert table.prompt == f"Load the shoe ({left} cards must be left of the last), then press close"


def test_a_supervisor_ends_a_shoe() -> None:
    table = loaded(BEE_TEK)
    table.apply_choice("reload")
    assert table.prompt == LOADING
    table.apply(table.script.key("close"))
    table.deal("5h 7d Kc")
    table.apply_choice("reload")
    assert table.prompt.startswith("Seat 1 has 5")
    assert table.state.cut_out


@pytest.mark.parametrize(("make", "ends"), [(BEE_TEK, True), (ANGEL_EYE, False), ("sim", False)])
def test_a_shoe_that_does_not_tell_of_the_cut_card_ends_with_one_deck_left(make: str, ends: bool) -> None:
    table = loaded(make) if make != "sim" else StateTable()
    table.state.ledger.unseen = 7 * 52 - 4
    table.deal("5h 7d Kc")
    assert not table.state.cut_out
    table.apply(table.script.card("2h"))
    assert table.state.cut_out is ends


def test_a_number_that_is_missing_needs_a_person() -> None:
    table = loaded(ANGEL_EYE)
    table.deal("5h 7d Kc")
    missing = table.script.numbers["shoe"] = table.script.numbers.get("shoe", 0) + 1
    table.apply(EventsMissing("shoe", LOG, missing, missing))
    assert table.prompt == (
        f"Suspended: Events {missing} to {missing} of the shoe are lost: compare the table with the page"
    )
    assert permit(table.state) == 0
    table.apply_choice("resume")
    assert permit(table.state) == 4


def test_the_make_outlives_a_snapshot() -> None:
    table = loaded(BEE_TEK)
    assert restore_snapshot(take_snapshot(table.state)).devices["shoe"].adapter == BEE_TEK
    table.apply(up(table.script, "sim", "known"))
    assert table.state.devices["shoe"].adapter == ""
