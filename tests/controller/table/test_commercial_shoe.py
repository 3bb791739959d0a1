"""A table whose shoe is a commercial one: the dealer says that it was loaded, somebody that it ends."""

from dataclasses import replace

import pytest

from controller.table.record.events import DeviceLost, DeviceRunning, DeviceUp, EventsMissing
from controller.table.state.snapshot import restore, take
from controller.table.state_machine import begin
from controller.table.view.console import keys, loaded_by_key, permit
from drivers.messages import CutCard
from tests.fixtures.device_inputs import LOG, Script
from tests.fixtures.state_table import Told

ANGEL_EYE, BEE_TEK = "angel-eye-2ex", "bee-tek"
LOADING = "Load the shoe, then press close"


def up(script: Script, make: str, relation: str = "new log") -> DeviceUp:
    told = script.up("shoe", relation)
    return replace(told, facts=replace(told.facts, hardware=make))


def fresh(make: str, decks: int = 8) -> Told:
    """A table at its very start."""
    script = Script(options={"burn_cards": 0, "decks": decks})
    told = Told.of(begin(script.started()), script)
    told.tell(script.started())
    for device in script.devices:
        told.tell(up(script, make) if device == "shoe" else script.up(device, "new log"))
        told.tell(DeviceRunning(device))
    return told


def loaded(make: str) -> Told:
    told = fresh(make)
    told.tell(told.script.key("close"))
    return told


@pytest.mark.parametrize("make", [ANGEL_EYE, BEE_TEK])
def test_the_dealer_says_that_it_was_loaded(make: str) -> None:
    told = fresh(make)
    assert (told.prompt, keys(told.state), permit(told.state)) == (LOADING, frozenset({"close"}), 0)
    told.tell(told.script.key("stand", 1))
    assert told.prompt == LOADING
    told.tell(told.script.key("close"))
    assert told.prompt == "Place your bets"
    told.deal("5h 7d Kc")
    assert told.state.ledger.out == 3


def test_a_shoe_of_our_own_says_it_itself() -> None:
    told = fresh("sim")
    assert (told.prompt, keys(told.state)) == ("Load the shoe", frozenset())
    told.tell(told.script.key("close"))
    assert told.prompt == "Load the shoe"


def test_while_play_is_suspended_nobody_loads() -> None:
    told = fresh(ANGEL_EYE)
    told.tell(DeviceLost("console", "gone"))
    assert not loaded_by_key(told.state)
    assert keys(told.state) == frozenset()


def test_the_prompt_says_what_must_be_left_of_the_last_shoe() -> None:
    told = loaded(ANGEL_EYE)
    told.deal("5h 7d Kc")
    told.tell(told.script.event("shoe", CutCard(3)))
    told.play("1:stand 2:stand")
    while told.state.round.cards_due:
        told.tell(told.script.card("9s"))
    told.tell(told.script.key("pay"))
    left = 8 * 52 - told.state.ledger.out
    assert told.prompt == f"Load the shoe ({left} cards must be left of the last), then press close"


def test_a_supervisor_ends_a_shoe() -> None:
    told = loaded(BEE_TEK)
    told.say("reload")
    assert told.prompt == LOADING
    told.tell(told.script.key("close"))
    told.deal("5h 7d Kc")
    told.say("reload")
    assert told.prompt.startswith("Seat 1 has 5")
    assert told.state.cut_out


@pytest.mark.parametrize(("make", "ends"), [(BEE_TEK, True), (ANGEL_EYE, False), ("sim", False)])
def test_a_shoe_that_does_not_tell_of_the_cut_card_ends_with_one_deck_left(make: str, ends: bool) -> None:
    told = loaded(make) if make != "sim" else Told()
    told.state.ledger.unseen = 7 * 52 - 4
    told.deal("5h 7d Kc")
    assert not told.state.cut_out
    told.tell(told.script.card("2h"))
    assert told.state.cut_out is ends


def test_a_number_that_is_missing_needs_a_person() -> None:
    told = loaded(ANGEL_EYE)
    told.deal("5h 7d Kc")
    missing = told.script.numbers["shoe"] = told.script.numbers.get("shoe", 0) + 1
    told.tell(EventsMissing("shoe", LOG, missing, missing))
    assert told.prompt == (
        f"Suspended: Events {missing} to {missing} of the shoe are lost: compare the table with the page"
    )
    assert permit(told.state) == 0
    told.say("resume")
    assert permit(told.state) == 4


def test_the_make_outlives_a_snapshot() -> None:
    told = loaded(BEE_TEK)
    assert restore(take(told.state)).devices["shoe"].adapter == BEE_TEK
    told.tell(up(told.script, "sim", "known"))
    assert told.state.devices["shoe"].adapter == ""
