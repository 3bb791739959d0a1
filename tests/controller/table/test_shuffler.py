"""The shuffler's cycle, and what is wrong with a pack."""

import pytest

from controller.table.state.shuffler_cycle import UNCHECKED, ShufflerCycle, ShufflerStage
from drivers.messages import CommandBody, DeckCheck, Eject, Start
from drivers.protocol.codes import ShufflerPhase, Status

GOOD = bytes([8] * 52)


def ready() -> ShufflerCycle:
    cycle = ShufflerCycle()
    cycle.action_sent(1, Start(8))
    cycle.action_ended(1, Status.DONE)
    cycle.pack_checked(DeckCheck(8, GOOD, 0), 8)
    cycle.state_reported(ShufflerPhase.DONE, 100)
    return cycle


def test_the_cycle_starts_and_waits_for_the_shoe() -> None:
    cycle = ShufflerCycle()
    assert cycle.due_action(8, shoe_wanted=False) == Start(8)
    cycle.action_sent(1, Start(8))
    assert cycle.due_action(8, shoe_wanted=True) is None
    cycle = ready()
    assert cycle.stage == "ready"
    assert cycle.due_action(8, shoe_wanted=False) is None
    assert cycle.due_action(8, shoe_wanted=True) == Eject()


def test_the_cycle_ejects_once_until_the_shoe_is_loaded() -> None:
    cycle = ready()
    cycle.action_sent(2, Eject())
    cycle.action_ended(2, Status.DONE)
    assert (cycle.stage, cycle.pack_out) == ("out", True)
    cycle.state_reported(ShufflerPhase.IDLE, 0)
    assert cycle.due_action(8, shoe_wanted=True) == Start(8)
    cycle.pack_checked(DeckCheck(8, GOOD, 0), 8)
    cycle.state_reported(ShufflerPhase.DONE, 100)
    assert cycle.due_action(8, shoe_wanted=True) is None
    cycle.shoe_loaded()
    assert cycle.due_action(8, shoe_wanted=True) == Eject()


def test_a_pack_without_a_check_is_not_ejected() -> None:
    cycle = ready()
    cycle.state_reported(ShufflerPhase.SHUFFLING, 50)
    assert cycle.state_reported(ShufflerPhase.DONE, 100) == UNCHECKED
    assert (cycle.stage, cycle.fault) == ("refused", UNCHECKED)
    assert cycle.due_action(8, shoe_wanted=True) is None
    assert cycle.state_reported(ShufflerPhase.IDLE, 0) == ""
    assert cycle.due_action(8, shoe_wanted=True) == Start(8)


@pytest.mark.parametrize(
    ("action", "status", "stage", "next_one"),
    [
        (Start(8), Status.REFUSED, "waiting", None),
        (Start(8), Status.BUSY, "waiting", None),
        (Start(8), Status.NEVER, "idle", Start(8)),
        (Start(8), Status.INTERRUPTED, "idle", Start(8)),
        (Eject(), Status.NEVER, "ready", Eject()),
        (Eject(), Status.INTERRUPTED, "waiting", None),
        (Eject(), Status.REFUSED, "waiting", None),
    ],
)
def test_a_failed_action_is_asked_again_or_reported(
    action: CommandBody, status: Status, stage: ShufflerStage, next_one: CommandBody | None
) -> None:
    cycle = ready() if isinstance(action, Eject) else ShufflerCycle()
    cycle.action_sent(2, action)
    cycle.action_ended(2, status)
    assert cycle.stage == stage
    assert cycle.due_action(8, shoe_wanted=True) == next_one


def test_a_new_pack_ends_waiting() -> None:
    cycle = ShufflerCycle(stage="waiting")
    cycle.state_reported(ShufflerPhase.IDLE, 0)
    assert cycle.due_action(8, shoe_wanted=False) == Start(8)


@pytest.mark.parametrize(
    ("check", "fault"),
    [
        (DeckCheck(8, bytes([7]) + GOOD[1:], 0), "As 1 missing"),
        (DeckCheck(8, GOOD[:-1] + bytes([10]), 0), "Kc 2 too many"),
        (DeckCheck(8, GOOD, 3), "3 unreadable"),
        (DeckCheck(8, GOOD[:50], 0), "50 of 52 kinds of card counted"),
        (DeckCheck(6, GOOD, 0), "6 decks were counted"),
    ],
)
def test_a_wrong_pack_is_refused_and_named(check: DeckCheck, fault: str) -> None:
    cycle = ShufflerCycle(stage="checking")
    assert fault in cycle.pack_checked(check, 8)
    cycle.state_reported(ShufflerPhase.DONE, 100)
    assert cycle.stage == "refused"
    assert cycle.due_action(8, shoe_wanted=True) is None
    cycle.state_reported(ShufflerPhase.IDLE, 0)  # somebody changed the pack
    assert cycle.due_action(8, shoe_wanted=True) == Start(8)


def test_many_wrong_cards_are_counted() -> None:
    fault = ShufflerCycle().pack_checked(DeckCheck(8, bytes(52), 0), 8)
    assert fault.endswith("As 8 missing, 2s 8 missing, 3s 8 missing, 4s 8 missing, 5s 8 missing, and 47 more")
