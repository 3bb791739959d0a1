"""The users and folders of the package, made by systemd's own programs in an empty root."""

import os
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
PEOPLE = ("root:x:0:0::/root:/bin/sh\n", "root:x:0:\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with no user but root."""
    etc = tmp_path / "etc"
    etc.mkdir()
    for name, text in zip(("passwd", "group"), PEOPLE, strict=True):
        (etc / name).write_text(text)
    return tmp_path


def ran(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


USERS = ("tableside", "tableside-web", "tableside-kiosk", "tableside-uplink", "tableside-progressive")


def test_all_users_would_be_made(root: Path) -> None:
    output = ran("systemd-sysusers", "--dry-run", f"--root={root}", SYSTEMD / "tableside.sysusers")
    assert "Would create" in output or "Creating" in output
    for user in USERS:
        assert f"'{user}'" in output
    assert "tableside" not in (root / "etc/passwd").read_text()


def test_users_cannot_sign_in_and_folders_are_theirs(root: Path) -> None:
    ran("systemd-sysusers", f"--root={root}", SYSTEMD / "tableside.sysusers")
    passwd = [line.split(":") for line in (root / "etc/passwd").read_text().splitlines()]
    users = {line[0]: line for line in passwd}
    assert {users[name][6] for name in USERS} == {"/usr/sbin/nologin"}
    if os.geteuid() == 0:  # only root gives folders away
        ran("systemd-tmpfiles", "--create", f"--root={root}", SYSTEMD / "tableside.tmpfiles")
        kept = (root / "var/lib/tableside").stat()
        assert (kept.st_uid, kept.st_mode & 0o7777) == (int(users["tableside"][2]), 0o2750)
        assert kept.st_gid == groups(root)["tableside-journal"][0]
        keys = (root / "etc/tableside/keys").stat()
        assert (keys.st_uid, keys.st_mode & 0o777) == (0, 0o700)


def groups(root: Path) -> dict[str, tuple[int, set[str]]]:
    """Number and members of each group."""
    lines = (line.split(":") for line in (root / "etc/group").read_text().splitlines())
    return {name: (int(number), set(members.split(",")) - {""}) for name, _, number, members in lines}


def test_the_pages_are_in_the_groups_that_they_need_and_in_no_other(root: Path) -> None:
    ran("systemd-sysusers", f"--root={root}", SYSTEMD / "tableside.sysusers")
    found = groups(root)
    memberships = {user: {name for name, (_, members) in found.items() if user in members} for user in USERS}
    assert memberships == {
        "tableside": {"tableside", "tableside-journal", "tableside-clients"},
        "tableside-web": {"tableside-journal", "tableside-clients"},
        "tableside-kiosk": set(),
        "tableside-uplink": {"tableside-journal", "tableside-clients"},
        "tableside-progressive": set(),
    }
