"""Free space is judged by the limits of the configuration; a disk is written to only while no daemon runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.doctor.disks import check_disks
from tests.controller.doctor.examined import found, subject

DISK = "disk of the journal"
HUGE = 1_000_000_000


@pytest.mark.parametrize(
    ("journal", "status"),
    [
        ("", "ok"),
        (f"warn_free = {HUGE}", "warning"),
        (f"warn_free = {HUGE}\nstop_free = {HUGE - 1}", "fault"),
    ],
)
def test_free_space_is_judged_by_the_limits(tmp_path: Path, journal: str, status: str) -> None:
    limits = journal or "warn_free = 2\nstop_free = 1"
    one = found(check_disks(subject(tmp_path, journal=limits)), DISK)
    assert one.status == status
    assert " MB free" in one.text


def test_the_disk_is_written_to_without_leaving_a_file(tmp_path: Path) -> None:
    examined = subject(tmp_path)
    before = {*tmp_path.iterdir()}
    one = found(check_disks(examined), f"{DISK}, writing")
    assert one.status in {"ok", "warning"}
    assert "written and flushed in" in one.text
    assert {*tmp_path.iterdir()} == before


def test_the_disk_of_a_running_table_is_not_written_to(tmp_path: Path) -> None:
    one = found(check_disks(replace(subject(tmp_path), core=1)), f"{DISK}, writing")
    assert (one.status, one.text) == ("not checked", "the daemon runs; it measures its own writes")


def test_an_absent_folder_is_a_fault(tmp_path: Path) -> None:
    one = found(
        check_disks(subject(tmp_path, journal=f'mirror = "{tmp_path}/absent/mirror"')), "disk of the mirror"
    )
    assert (one.status, one.text) == ("fault", f"{tmp_path}/absent: No such file or directory")


def test_a_mirror_on_the_disk_of_the_journal_is_a_warning(tmp_path: Path) -> None:
    one = found(check_disks(subject(tmp_path, journal='mirror = "mirror"')), "mirror")
    assert (one.status, "one fault takes both" in one.text) == ("warning", True)
