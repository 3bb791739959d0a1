"""The shuffler's cycle, and what is wrong with a pack."""

import pytest

from controller.table.state.shuffler_cycle import Cycle, Stage
from drivers.messages import CommandBody, DeckCheck, Eject, Start
from drivers.protocol.codes import ShufflerPhase, Status

GOOD = bytes([8] * 52)


def ready() -> Cycle:
    cycle = Cycle()
    cycle.asked(1, Start(8))
    cycle.ended(1, Status.DONE)
    cycle.checked(DeckCheck(8, GOOD, 0), 8)
    cycle.moved(ShufflerPhase.DONE, 100)
    return cycle


def test_starts_shuffles_checks_and_waits_for_the_shoe() -> None:
    cycle = Cycle()
    assert cycle.due(8, shoe_wanted=False) == Start(8)
    cycle.asked(1, Start(8))
    assert cycle.due(8, shoe_wanted=True) is None
    cycle = ready()
    assert cycle.stage == "ready"
    assert cycle.due(8, shoe_wanted=False) is None
    assert cycle.due(8, shoe_wanted=True) == Eject()


def test_ejects_once_until_the_shoe_is_loaded() -> None:
    cycle = ready()
    cycle.asked(2, Eject())
    cycle.ended(2, Status.DONE)
    assert (cycle.stage, cycle.pack_out) == ("out", True)
    cycle.moved(ShufflerPhase.IDLE, 0)
    assert cycle.due(8, shoe_wanted=True) == Start(8)
    cycle.moved(ShufflerPhase.DONE, 100)
    assert cycle.due(8, shoe_wanted=True) is None
    cycle.loaded()
    assert cycle.due(8, shoe_wanted=True) == Eject()


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
def test_actions_that_did_not_work(
    action: CommandBody, status: Status, stage: Stage, next_one: CommandBody | None
) -> None:
    cycle = ready() if isinstance(action, Eject) else Cycle()
    cycle.asked(2, action)
    cycle.ended(2, status)
    assert cycle.stage == stage
    assert cycle.due(8, shoe_wanted=True) == next_one


def test_a_new_pack_ends_waiting() -> None:
    cycle = Cycle(stage="waiting")
    cycle.moved(ShufflerPhase.IDLE, 0)
    assert cycle.due(8, shoe_wanted=False) == Start(8)


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
    cycle = Cycle(stage="checking")
    assert fault in cycle.checked(check, 8)
    cycle.moved(ShufflerPhase.DONE, 100)
    assert cycle.stage == "refused"
    assert cycle.due(8, shoe_wanted=True) is None
    cycle.moved(ShufflerPhase.IDLE, 0)  # somebody changed the pack
    assert cycle.due(8, shoe_wanted=True) == Start(8)


def test_many_wrong_cards_are_counted() -> None:
    fault = Cycle().checked(DeckCheck(8, bytes(52), 0), 8)
    assert fault.endswith("As 8 missing, 2s 8 missing, 3s 8 missing, 4s 8 missing, 5s 8 missing, and 47 more")
