"""Updates that fail, and updates over bad cables."""

import pytest

from drivers.link.facts import DeviceFacts
from drivers.link.reports import ActionEnded, DeviceRefused, DeviceUp, Down, HeartbeatSeen, LinkEvent, Unarmed
from drivers.messages import UpdateApply, UpdateBegin, UpdateConfirm
from drivers.protocol.codes import DeviceClass, Mode, Status
from drivers.sim.cable import Faults
from drivers.update.course import UpdateEnd
from drivers.update.progress import (
    LIMITS,
    TRIAL_HEARTBEATS,
    UpdatePhase,
    UpdateProgress,
    version_of,
)
from tests.drivers.update.desk import IMAGE, Desk, made

BAD = Faults(drop=0.05, flip=0.03, duplicate=0.05, split=0.1, stall=0.01, stall_seconds=0.1)
LOG = b"l" * 8


def up(firmware: str = "1.0.0", *, test_slot: bool = False, hardware: str = "sim") -> DeviceUp:
    facts = DeviceFacts(
        DeviceClass.DISPLAY,
        "S1",
        hardware,
        firmware,
        b"b" * 8,
        1,
        LOG,
        1,
        1,
        1,
        0,
        0,
        insecure=True,
        test_slot=test_slot,
    )
    return DeviceUp("display", facts, "known")


def course(*events: LinkEvent) -> UpdateProgress:
    """At 0 s; each action that is due goes out under the keys 1, 2, ..."""
    found = UpdateProgress(made(), 0.0)
    key = 0
    for event in events:
        found.handle(event, 0.0)
        if record := found.due(0.0):
            key += 1
            found.action_sent(key, record)
    return found


def done(key: int, status: Status = Status.DONE) -> ActionEnded:
    return ActionEnded("display", key, status, "so it is")


BEGUN = (up(), Unarmed(), done(1))
APPLIED = (*BEGUN, HeartbeatSeen(Mode.READY, 0), done(2))
TRIED = (*APPLIED, Down("bye", "UPDATE"), up("7.0.0", test_slot=True), Unarmed())
DOWN = Down("heartbeat", "no heartbeat for 3 s")


@pytest.mark.parametrize(
    ("events", "phase"),
    [
        ((), "meeting"),
        ((up(),), "beginning"),
        (BEGUN, "sending"),
        (APPLIED, "restarting"),
        (TRIED, "trying"),
        ((*BEGUN, DOWN), "meeting"),
        ((*BEGUN, DOWN, up()), "beginning"),
        ((*APPLIED, DOWN), "restarting"),
        ((*TRIED, DOWN), "meeting"),
        ((*TRIED, DOWN, up("7.0.0", test_slot=True)), "trying"),
        ((*BEGUN, DOWN, up(), done(1)), "beginning"),
    ],
)
def test_each_phase_has_its_limit(events: tuple[LinkEvent, ...], phase: UpdatePhase) -> None:
    found = course(*events)
    assert (found.phase, found.ended) == (phase, None)
    limit, text = LIMITS[phase]
    found.tick(limit - 0.1)
    assert found.ended is None
    found.tick(limit)
    assert found.ended == UpdateEnd("failed", text)


@pytest.mark.parametrize(
    ("events", "result", "words"),
    [
        ((up("7.1"),), "runs already", "firmware 7.1 runs"),
        ((up("9", test_slot=True),), "failed", "firmware 9 is on trial"),
        ((up(hardware="rev C"),), "failed", "must be sealed"),
        ((DeviceRefused("identity", "found shoe SH-2"),), "failed", "found shoe SH-2"),
        ((up(), Unarmed(), done(1, Status.REFUSED)), "failed", "UpdateBegin with REFUSED: so it is"),
        ((*APPLIED, DOWN, up()), "reverted", "the old firmware runs again"),
        ((*BEGUN, HeartbeatSeen(1, 0), DOWN, up(), done(2)), "reverted", "the old firmware runs again"),
        ((*TRIED, HeartbeatSeen(Mode.FAULT, 0)), "reverts", "reports a fault"),
        ((*TRIED, HeartbeatSeen(5, 3), HeartbeatSeen(5, 4)), "reverts", "reports a fault"),
        ((*TRIED, *[HeartbeatSeen(5, 3)] * TRIAL_HEARTBEATS, done(3)), "confirmed", "version 7 runs"),
        (
            (*TRIED, *[HeartbeatSeen(5, 3)] * TRIAL_HEARTBEATS, DOWN, up("7.0.0")),
            "confirmed",
            "firmware 7.0.0 runs",
        ),
        (
            (*TRIED, *[HeartbeatSeen(5, 3)] * TRIAL_HEARTBEATS, done(3, Status.FAILED)),
            "failed",
            "UpdateConfirm with FAILED",
        ),
    ],
)
def test_each_ending_has_its_result_and_reason(
    events: tuple[LinkEvent, ...], result: str, words: str
) -> None:
    ended = course(*events).ended
    assert ended is not None
    assert (ended.result, words in ended.text) == (result, True)


def test_the_next_command_is_due_one_at_a_time() -> None:
    found = course(up(), Unarmed())
    assert found.due(0.0) is None, "one at a time"
    assert isinstance(course(up()).due(0.0), UpdateBegin | None)
    assert course(*BEGUN, HeartbeatSeen(Mode.UPDATING, 0)).due(0.0) is None
    busy = course(*BEGUN, HeartbeatSeen(Mode.READY, 0), done(2, Status.BUSY), HeartbeatSeen(Mode.READY, 0))
    assert busy.due(0.9) is None
    assert busy.due(1.0) == UpdateApply()
    trial = course(*TRIED, *[HeartbeatSeen(Mode.UPDATING, 0)] * (TRIAL_HEARTBEATS - 1))
    assert trial.due(0.0) is None
    trial.handle(HeartbeatSeen(Mode.UPDATING, 0), 0.0)
    assert trial.due(0.0) == UpdateConfirm()


@pytest.mark.parametrize(
    ("firmware", "version"), [("7", 7), ("7.2.1", 7), ("7 rc1", 7), ("0", 0), ("", -1), ("v7", -1), ("٧", -1)]
)
def test_the_version_is_the_leading_digits(firmware: str, version: int) -> None:
    assert version_of(firmware) == version


@pytest.mark.parametrize("seed", range(6))
def test_an_update_succeeds_on_a_bad_cable(seed: int) -> None:
    desk = Desk(faults=BAD, seed=seed)
    assert desk.run() == UpdateEnd("confirmed", "version 7 runs, confirmed")
    assert desk.settled() == 7
    assert desk.slots.image(desk.slots.good) == IMAGE


def test_a_test_slot_with_a_fault_is_not_confirmed() -> None:
    desk = Desk(made(device_class=DeviceClass.SHOE), kind="shoe")
    desk.until(lambda: desk.slots.state == "trial")
    desk.unit.ask({"do": "jam", "on": True}, desk.wire.now)
    ended = desk.run()
    assert ended is not None
    assert ended.result == "reverts"
    assert desk.settled() == desk.slots.counter == 1
