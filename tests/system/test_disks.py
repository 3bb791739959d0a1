"""The daemon on a disk that is full, read-only, broken or slow, and with a clock that is set: nothing is
shown that is not on disk, and the round ends as it would have."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.journal.history import History
from tests.fixtures.process_table import ProcessTable, stopped
from tests.system import script
from tests.system.preload.disk import Disk
from tests.system.quick_restart import PAUSE
from tests.system.service import Service, service

ERRORS = {"full": errno.ENOSPC, "read only": errno.EROFS, "broken": errno.EIO}
QUICK_RESTART = ("tests.system.quick_restart",)
SHORT = 0
"""Writes take half of their bytes."""
STEP = 6
"""A card is to be dealt."""
HOURS = 3600.0


def halted(house: ProcessTable, running: Service, disk: Disk, error: int) -> None:
    """The disk fails and a card leaves. The daemon says why the table is halted; nobody saw what followed."""
    house.until_permitted()
    house.hands["console"].all_notices()
    disk.fail(error)
    house.hands["shoe"].pull()
    while "Halted: journal " not in running.say():
        continue
    running.process.terminate()
    status, wrote = running.end()
    assert (status, "cannot be written" in wrote) == (1, True)
    shown = [notice["text"] for notice in house.hands["console"].all_notices() if "text" in notice]
    assert script.ROUND[STEP + 1].prompt not in shown


@pytest.mark.parametrize("error", ERRORS.values(), ids=ERRORS)
def test_a_disk_that_fails_for_good_halts_the_table(
    house: ProcessTable, disk: Disk, library: Path, error: int
) -> None:
    number = script.deal_up_to(house, STEP)
    with stopped(house), service(house.stage.config, more=disk.environment(library)) as running:
        assert running.say().startswith("READY=1\nSTATUS=The table is ready")
        script.at(house, STEP)
        halted(house, running, disk, error)
        disk.mend()
    script.play_to_the_end(house, number, STEP + 1)


def test_a_disk_that_fails_once_at_any_call_loses_nothing(
    house: ProcessTable, disk: Disk, library: Path
) -> None:
    """Whatever was written of the batch: the next daemon has all of it or none, and the round goes on."""
    number = script.deal_up_to(house, STEP)
    with stopped(house):
        for after in (0, 1, 3):
            with service(house.stage.config, more=disk.environment(library)) as running:
                script.at(house, STEP) if after == 0 else house.until_recovered()
                disk.fail(errno.ENOSPC, after=after, most=1)
                house.hands["console"].ask("press", action="pay")
                while "Halted: journal " not in running.say():
                    continue
                disk.mend()
                running.process.terminate()
                assert running.end()[0] == 1
    house.pull()
    script.play_to_the_end(house, number, STEP + 1)


def test_a_disk_that_takes_half_of_each_write_loses_nothing(
    house: ProcessTable, disk: Disk, library: Path
) -> None:
    number = script.deal_up_to(house, STEP)
    with stopped(house), service(house.stage.config, more=disk.environment(library)) as running:
        script.at(house, STEP)
        disk.fail(SHORT)
        house.pull()
        script.at(house, STEP + 1)
        running.process.terminate()
        assert running.end()[0] == 0
        disk.mend()
    script.play_to_the_end(house, number, STEP + 1)


def test_a_slow_disk_delays_the_round_and_nothing_else(
    house: ProcessTable, disk: Disk, library: Path
) -> None:
    """It only becomes slower; a daemon that stalls for its disk leaves no device unattended."""
    number = script.deal_up_to(house, STEP)
    with stopped(house), service(house.stage.config, more=disk.environment(library)) as running:
        for step, seconds in enumerate((0.2, 2.0), start=STEP):
            script.at(house, step)
            house.until_permitted()
            disk.slow(seconds)
            house.pull()
            script.at(house, step + 1)
            card, prompt = house.hands["shoe"].last("card"), house.hands["console"].last("prompt")
            assert prompt["at"] - card["at"] >= seconds
            disk.mend()
        running.process.terminate()
        assert running.end()[0] == 0
    script.play(house, steps=range(STEP + 2, len(script.ROUND)))
    assert script.lines(script.ended(house, number)) == script.LINES


def test_a_clock_set_by_hours_changes_only_the_stamps(house: ProcessTable, disk: Disk, library: Path) -> None:
    """Only the stamps differ, and each step is recorded."""
    number = script.deal_up_to(house, STEP)
    with stopped(house), service(house.stage.config, more=disk.environment(library)) as running:
        for step, hours in enumerate((5, -7, 3), start=STEP):
            script.at(house, step)
            disk.step_clock(hours * HOURS)
            script.play(house, steps=range(step, step + 1))
        script.play(house, steps=range(STEP + 3, len(script.ROUND)))
        assert script.lines(script.ended(house, number)) == script.LINES
        disk.step_clock(0)
        running.process.terminate()
        assert running.end()[0] == 0
    kinds = [entry.content.kind for entry in History(house.stage.journal).rows()]
    assert kinds.count("clock") >= len((5, -7, 3))


def until(running: Service, status: str) -> None:
    """Waits until the daemon sends this to systemd."""
    while f"STATUS={status}" not in running.say():
        continue


@contextmanager
def impatient(house: ProcessTable, disk: Disk, library: Path) -> Iterator[Service]:
    """A daemon in place of the table's own, which waits for its card."""
    more = disk.environment(library)
    with stopped(house), service(house.stage.config, more=more, module=QUICK_RESTART) as running:
        until(running, "The table is ready")
        script.at(house, STEP)
        house.until_permitted()
        yield running
        disk.mend()


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC])
def test_one_write_that_fails_is_followed_by_a_new_start_and_the_round_goes_on(
    house: ProcessTable, disk: Disk, library: Path, error: int
) -> None:
    number = script.deal_up_to(house, STEP)
    with impatient(house, disk, library) as running:
        disk.fail(error, most=1)
        house.hands["shoe"].pull()
        until(running, "Halted: journal ")
        until(running, "The table is ready")
        script.play_to_the_end(house, number, STEP + 1)
        rows = [entry.content for entry in History(house.stage.journal).rows()]
        assert any("The table restarted by itself: journal " in row.body for row in rows)
        running.process.terminate()
        assert running.end()[0] == 0


def test_a_disk_that_stays_full_halts_the_table_after_one_new_start(
    house: ProcessTable, disk: Disk, library: Path
) -> None:
    number = script.deal_up_to(house, STEP)
    with impatient(house, disk, library) as running:
        disk.fail(errno.ENOSPC)
        house.hands["shoe"].pull()
        until(running, "Halted: journal ")
        until(running, "Halted: journal ")
        with pytest.raises(TimeoutError):
            running.say(within=5 * PAUSE)
        running.process.terminate()
        assert running.end()[0] == 1
    script.play_to_the_end(house, number, STEP + 1)


def test_a_second_failed_write_within_a_quarter_of_an_hour_halts_the_table_for_good(
    house: ProcessTable, disk: Disk, library: Path
) -> None:
    number = script.deal_up_to(house, STEP)
    with impatient(house, disk, library) as running:
        disk.fail(errno.EIO, most=1)
        house.hands["shoe"].pull()
        until(running, "Halted: journal ")
        until(running, "The table is ready")
        script.at(house, STEP + 1)
        disk.fail(errno.EIO)
        house.hands["console"].ask("press", action="pay")
        until(running, "Halted: journal ")
        disk.mend()
        with pytest.raises(TimeoutError):
            running.say(within=5 * PAUSE)
        running.process.terminate()
        assert running.end()[0] == 1
    script.play_to_the_end(house, number, STEP + 1)
