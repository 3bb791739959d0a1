"""The doctor sees a clock that was set back, and one that no time server keeps right."""

import os
import time
from pathlib import Path

import pytest

from controller.doctor.clock import UNSYNCHRONISED, check_clock, clock_finding
from tests.controller.doctor.examined import found, subject

JUMPS = "clock, jumps"


def test_a_journal_from_the_future_shows_that_the_clock_was_set_back(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    journal.touch()
    assert found(check_clock(subject(tmp_path)), JUMPS).status == "ok"
    later = time.time() + 3600
    os.utime(journal, (later, later))
    one = found(check_clock(subject(tmp_path)), JUMPS)
    assert one.status == "fault"
    assert one.text.startswith("the clock was set back: the journal was written at ")


@pytest.mark.parametrize(("state", "status"), [(0, "ok"), (UNSYNCHRONISED, "warning"), (None, "not checked")])
def test_the_kernel_says_whether_the_clock_is_synchronised(state: int | None, status: str) -> None:
    assert clock_finding(state).status == status


def test_the_kernel_of_this_computer_is_asked(tmp_path: Path) -> None:
    assert found(check_clock(subject(tmp_path)), "clock").status in {"ok", "warning", "not checked"}


def test_the_time_zone_of_the_table_is_shown(tmp_path: Path) -> None:
    assert "(UTC, table.time_zone)" in found(check_clock(subject(tmp_path)), "time zone").text
