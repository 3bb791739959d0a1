"""A journal with impossible numbers, which an older version took from a device, becomes usable again."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.journal.journal import Journal
from controller.table.record.codec import to_row
from controller.table.record.events import Action, DeviceUp, EventsMissing, Input
from controller.table.recovery import recover
from controller.table.state.snapshot import snapshot_row
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply
from drivers.link.facts import Bookmark
from drivers.link.limits import HIGHEST
from drivers.link.reports import CardsMissing
from drivers.messages import CardDrawn, Eject, Start
from tests.fixtures.device_inputs import DEVICES, LOG, Script
from tests.fixtures.state_table import StateTable

ONES = 2**64 - 1
SHUFFLER = "shuffler"


@pytest.fixture
def script() -> Script:
    return Script(devices={**DEVICES, SHUFFLER: "SHUFFLER-1"})


def up(script: Script, relation: str = "known", **facts: Any) -> DeviceUp:
    said = script.up(SHUFFLER, relation)
    return replace(said, facts=replace(said.facts, **facts))


def recovered(folder: Path, script: Script, *events: Input, snapshot: int = 0) -> TableState:
    """The table after a start on a journal of these rows; `snapshot`: the last key in a snapshot of an older
    version."""
    path = folder / "journal"
    with Journal(path) as journal:
        state = recover(journal, script.started())
        for event in (*script.opening(), *events):
            apply(state, event)
            journal.append([to_row(1.0, event)])
        if snapshot:
            state.devices[SHUFFLER].last_key = snapshot
            journal.append([snapshot_row(1.0, state)])
    with Journal(path) as journal:
        return recover(journal, script.started())


def bookmark(state: TableState) -> Bookmark:
    return state.devices[SHUFFLER].bookmark()


@pytest.mark.parametrize("key", [ONES, HIGHEST + 1])
def test_a_last_key_that_cannot_be_counts_for_nothing(tmp_path: Path, script: Script, key: int) -> None:
    state = recovered(tmp_path, script, Action(SHUFFLER, 7, Start(8)), up(script, last_key=key))
    assert (bookmark(state).last_key, bookmark(state).open_actions) == (7, (7,))
    assert state.devices[SHUFFLER].impossible == f"key {key}: it counts for nothing"
    apply(state, up(script, last_key=7))
    assert not state.devices[SHUFFLER].impossible


def test_an_action_under_a_key_that_cannot_be_was_never_asked_for(tmp_path: Path, script: Script) -> None:
    state = recovered(tmp_path, script, Action(SHUFFLER, ONES + 1, Start(8)))
    assert (bookmark(state).last_key, bookmark(state).open_actions) == (0, ())
    assert state.cycle.stage == "idle"
    assert state.devices[SHUFFLER].impossible == f"key {ONES + 1}: it counts for nothing"


def test_a_snapshot_with_a_key_that_cannot_be_is_read(tmp_path: Path, script: Script) -> None:
    state = recovered(tmp_path, script, Action(SHUFFLER, 7, Eject()), snapshot=ONES)
    assert (bookmark(state).last_key, bookmark(state).open_actions) == (7, (7,))
    assert state.devices[SHUFFLER].impossible == f"key {ONES}: it counts for nothing"


def test_a_log_that_ends_where_none_can_counts_as_unknown(tmp_path: Path, script: Script) -> None:
    lost = EventsMissing(SHUFFLER, LOG, 1, 2**63)
    state = recovered(tmp_path, script, Action(SHUFFLER, 7, Start(8)), lost)
    assert bookmark(state) == Bookmark(b"", 0, 7, 0, (7,))
    assert state.devices[SHUFFLER].impossible == f"event {2**63}: its log counts as unknown"
    apply(state, up(script, "new log", newest=3, committed=2))
    assert bookmark(state) == Bookmark(LOG, 2, 7, 0, ())
    assert not state.devices[SHUFFLER].impossible


def test_keys_far_above_what_a_device_has_seen_are_given_up(tmp_path: Path, script: Script) -> None:
    state = recovered(tmp_path, script, up(script, last_key=2**51))
    assert bookmark(state).last_key == 2**51
    apply(state, up(script, last_key=7))
    assert bookmark(state).last_key == 7


def test_a_card_with_a_count_that_cannot_be_leaves_the_next_permit_possible(
    tmp_path: Path, script: Script
) -> None:
    nonsense = script.event("shoe", CardDrawn(ONES, "Ts"))
    state = recovered(tmp_path, script, script.loaded(), script.card("9h"), nonsense)
    assert state.devices["shoe"].cards == 1
    state.devices["shoe"].cards = ONES
    assert replace(state.devices["shoe"]).cards == 0


def test_a_shoe_that_counts_cards_without_end_holds_nobody_up() -> None:
    table = StateTable()
    table.apply(CardsMissing("shoe", 2**51, 3))
    assert table.state.ledger.unseen == 2**51 - 3
    assert table.prompt.startswith(f"Suspended: The shoe gave out {2**51} cards, but 3 were reported")
