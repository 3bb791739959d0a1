"""A key is there, whole, and readable by its owner alone, or the finding says what to do."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from controller.doctor.keys import check_keys
from drivers.key_files import make_key, store_key
from tests.controller.doctor.examined import found, subject

SHOE = "key of the shoe"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "keys" / "shoe.key"
    store_key(make_key(), path)
    return path


def test_a_whole_key_is_as_it_must_be(tmp_path: Path, key: Path) -> None:
    one = found(check_keys(subject(tmp_path)), SHOE)
    assert (one.status, one.text) == ("ok", f"{key}: a key that only its owner can read")


@pytest.mark.parametrize(
    ("spoil", "text", "todo"),
    [
        (Path.unlink, " is missing", "Make it: tableside device provision shoe"),
        (lambda key: key.chmod(0o640), " has mode 0640: others can read it", "chmod 600"),
        (lambda key: key.write_text("abc"), " holds 3 characters", "Put the file back"),
    ],
)
def test_a_spoiled_key_is_a_fault(
    tmp_path: Path, key: Path, spoil: Callable[[Path], object], text: str, todo: str
) -> None:
    spoil(key)
    one = found(check_keys(subject(tmp_path)), SHOE)
    assert one.status == "fault"
    assert f"{key}{text}" in one.text
    assert todo in one.todo


def test_a_running_daemon_has_its_key_from_systemd(tmp_path: Path) -> None:
    one = found(check_keys(replace(subject(tmp_path), core=1)), SHOE)
    assert (one.status, "has a key from systemd" in one.text) == ("ok", True)


def test_a_device_without_seal_is_a_warning(tmp_path: Path) -> None:
    assert found(check_keys(subject(tmp_path)), "key of the sensors").status == "warning"


def test_a_lost_key_of_the_journal_is_a_fault_once_the_table_has_signed(tmp_path: Path) -> None:
    assert found(check_keys(subject(tmp_path)), "key of the journal").status == "warning"
    (tmp_path / "journal.pub").write_text("ab" * 32)
    assert found(check_keys(subject(tmp_path)), "key of the journal").status == "fault"
