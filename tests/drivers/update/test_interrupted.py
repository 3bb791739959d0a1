"""An update that is interrupted at every step resumes or reverts, and always runs a signed image."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from drivers.messages import CommandBody, UpdateApply
from drivers.update.course import UpdateEnd
from tests.drivers.update.desk import IMAGE, Desk, Records, made

WHOLE = Desk()
assert WHOLE.run() is not None
WRITES = WHOLE.flash.writes
"""How often an update writes to the flash."""
SECONDS = WHOLE.wire.now


@contextmanager
def watched(desk: Desk) -> Iterator[None]:
    """Whatever happens meanwhile, old or new firmware runs afterwards, and the same update succeeds."""
    assert desk.slots.counter == 1
    yield
    assert desk.ended is not None
    done = desk.ended.result in {"confirmed", "runs already"}
    assert desk.settled() == (7 if done else 1)
    assert desk.slots.counter == (7 if done else 1)
    assert desk.books.events == list(range(1, desk.books.newest + 1))
    desk.begin()
    ended = desk.run()
    assert ended is not None
    assert ended.result == ("runs already" if done else "confirmed")
    assert desk.settled() == desk.slots.counter == 7
    assert desk.slots.image(desk.slots.good) == IMAGE


def test_an_undisturbed_update_is_confirmed() -> None:
    assert UpdateEnd("confirmed", "version 7 runs, confirmed") == WHOLE.ended
    assert [type(record).__name__ for _, record in WHOLE.books.orders] == [
        "UpdateBegin",
        "UpdateApply",
        "UpdateConfirm",
    ]
    assert [(up.facts.firmware, up.facts.test_slot, up.facts.reset) for up in WHOLE.books.ups] == [
        ("1.0.0", False, 1),
        ("7.0.0", True, 5),
    ]


@pytest.mark.parametrize("write", range(3, WRITES + 1))
def test_an_update_survives_a_power_cut_at_any_write(write: int) -> None:
    """Before each write to the flash and in the middle of each block."""
    desk = Desk()
    desk.flash.fail_at(write - desk.flash.writes)
    with watched(desk):
        desk.run()
    assert len(desk.books.ups) >= 3


@pytest.mark.parametrize("tick", range(round(SECONDS / 0.05) + 1))
@pytest.mark.parametrize("loss", ["power", "cable", "host", "host, without a word", "both"])
def test_an_update_survives_a_lost_link_at_any_time(tick: int, loss: str) -> None:
    """Twenty times a second, from the first Hello to the end."""
    desk = Desk()
    with watched(desk):
        for _ in range(tick):
            desk.step()
        if loss in {"power", "both"}:
            desk.kill()
        if loss == "cable":
            desk.unit.ask({"do": "hang-up", "seconds": 4}, desk.wire.now)
        if loss == "host":
            desk.leave()
        if loss in {"host", "host, without a word", "both"}:
            desk.begin()
        desk.run()


@pytest.mark.parametrize("block", range(5))
@pytest.mark.parametrize("loss", ["power", "session", "host"])
def test_an_update_survives_a_lost_link_at_any_block(block: int, loss: str) -> None:
    """When so many blocks are written. What is on the flash is not sent again."""
    desk = Desk()
    with watched(desk):
        written = desk.flash.writes
        desk.until(lambda: desk.slots.state == "filling" and desk.slots.filled >= 192 * block)
        if loss == "power":
            desk.kill()
        elif loss == "session":
            desk.link.close(desk.wire.now)
            desk.meet()
        else:
            desk.begin()
        assert desk.run()
        torn = 2
        assert desk.flash.writes - written <= WRITES - 2 + torn


@pytest.mark.parametrize("times", [1, 2, 5])
def test_an_update_survives_repeated_power_cuts(times: int) -> None:
    desk = Desk()
    with watched(desk):
        for _ in range(times):
            desk.flash.fail_at(4)
            for _ in range(40):
                desk.step()
        desk.run()


def test_a_test_slot_that_nobody_confirms_reverts_after_120_s() -> None:
    desk = Desk()
    desk.until(lambda: desk.slots.state == "trial")
    begun = desk.wire.now
    desk.wire.host = None
    desk.until(lambda: desk.slots.state != "trial", pace=0.5)
    assert desk.wire.now - begun == pytest.approx(120, abs=0.6)
    assert (desk.slots.version, desk.slots.counter, desk.slots.state) == (1, 1, "whole")
    desk.begin()
    assert desk.run() == UpdateEnd("confirmed", "version 7 runs, confirmed")
    assert desk.slots.version == 7


def test_a_power_cut_in_the_trial_reverts() -> None:
    """The host that waits for the test slot finds the old firmware, and says so."""
    desk = Desk()
    desk.until(lambda: desk.course.phase == "restarting")
    desk.unit.ask({"do": "hang-up", "seconds": 5}, desk.wire.now)
    desk.until(lambda: desk.slots.state == "trial")
    desk.unit.ask({"do": "reboot"}, desk.wire.now)
    ended = desk.run()
    assert ended is not None
    assert ended.result == "reverted"
    assert desk.settled() == 1


def test_a_host_killed_after_it_applied_confirms_in_its_next_life() -> None:
    desk = Desk()
    desk.until(lambda: UpdateApply() in [record for _, record in desk.books.orders])
    desk.begin()
    assert desk.run() == UpdateEnd("confirmed", "version 7 runs, confirmed")


class FullDisk(Records):
    """A disk without room."""

    def record_action(self, key: int, record: CommandBody) -> None:
        raise OSError(f"no space left on device for {key} {record}")


def test_what_cannot_be_journaled_is_not_sent() -> None:
    desk = Desk()
    desk.books = FullDisk()
    desk.begin()
    with pytest.raises(OSError, match="no space"):
        desk.run()
    desk.unit.receive(desk.link.take(desk.wire.now), desk.wire.now)
    desk.wire.host = None
    desk.wire.run(1.0)
    assert (desk.slots.state, desk.memory.last_key) == ("empty", 0)


def test_an_older_version_after_a_confirmed_one_is_refused_and_a_revert_is_no_downgrade() -> None:
    desk = Desk()
    desk.run()
    desk.update = made(6)
    desk.begin()
    ended = desk.run()
    assert ended is not None
    assert "version 6: 7 is the lowest allowed" in ended.text
    assert desk.slots.counter == 7
    desk.update = made(9, b"nine" * 100)
    desk.begin()
    desk.until(lambda: desk.slots.state == "trial", pace=0.05)
    assert (desk.slots.version, desk.slots.counter) == (9, 7)
    assert desk.settled() == 7
    assert desk.slots.counter == 7
