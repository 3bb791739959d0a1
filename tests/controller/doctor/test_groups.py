"""The groups of the daemon's user are compared with those that the package gives it."""

import grp
import os
from dataclasses import replace
from pathlib import Path

import pytest

from controller.doctor import groups
from controller.doctor.groups import NEEDED, check_groups
from controller.doctor.subject import Account, Subject, caller
from tests.controller.doctor.examined import found, subject

DAEMON = "groups of the daemon"
SYSUSERS = Path(__file__).parents[3] / "systemd" / "tableside.sysusers"
THREE = tuple(group.gr_name for group in grp.getgrall()[:3])
"""Groups that this computer has, in the place of those that only the package makes."""


def installed(folder: Path, *names: str, monkeypatch: pytest.MonkeyPatch) -> Subject:
    """A table whose daemon runs as a user in these groups, and needs THREE."""
    monkeypatch.setattr(groups, "NEEDED", THREE)
    account = Account("tableside", 990, frozenset(grp.getgrnam(name).gr_gid for name in names))
    return replace(subject(folder), user=account, installed=True)


def test_a_daemon_in_all_its_groups_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = found(check_groups(installed(tmp_path, *THREE, monkeypatch=monkeypatch)), DAEMON)
    assert (one.status, one.text, one.todo) == ("ok", f"tableside is in {', '.join(THREE)}", "")


@pytest.mark.parametrize("missing", [THREE[:1], THREE[1:], THREE], ids=["one", "two", "all"])
def test_each_missing_group_is_named_with_the_command_that_adds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...]
) -> None:
    names = [name for name in THREE if name not in missing]
    one = found(check_groups(installed(tmp_path, *names, monkeypatch=monkeypatch)), DAEMON)
    assert (one.status, one.text) == ("fault", f"tableside is not in {', '.join(missing)}")
    assert one.todo == f"usermod --append --groups {','.join(missing)} tableside, then restart the service."


def test_a_computer_without_the_package_is_not_checked(tmp_path: Path) -> None:
    one = found(check_groups(subject(tmp_path)), DAEMON)
    assert (one.status, one.todo) == ("not checked", "")
    assert one.text == "this computer has no user tableside: the package is not installed"


def test_who_asks_sees_their_own_groups(tmp_path: Path) -> None:
    one = found(check_groups(subject(tmp_path)), "your groups")
    assert one.status == "ok"
    assert one.text.startswith(f"{caller().name} is in ")
    assert grp.getgrgid(os.getegid()).gr_name in one.text.removeprefix(f"{caller().name} is in ").split(", ")


def test_a_group_without_a_name_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "caller", lambda: Account("ann", 1000, frozenset({4_000_000_000})))
    one = found(check_groups(subject(tmp_path)), "your groups")
    assert one.text == "ann is in no group that has a name"


def test_the_package_puts_the_daemon_into_these_groups() -> None:
    lines = [line.split() for line in SYSUSERS.read_text().splitlines()]
    assert [words[2] for words in lines if words[:2] == ["m", "tableside"]] == [*NEEDED]
