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


USERS = {
    "tableside": ("tableside", "tableside-web", "tableside-kiosk", "tableside-uplink", "tableside-bridge"),
    "tableside-floor": ("tableside-floor", "tableside-nats", "tableside-progressive"),
}
"""By package."""
FOLDERS = {
    "tableside": {
        "etc/tableside/keys": ("root", "root", 0o700),
        "etc/tableside/keys/bridge": ("root", "root", 0o700),
        "var/lib/tableside": ("tableside", "tableside-journal", 0o2750),
    },
    "tableside-floor": {
        "etc/tableside/authority": ("root", "root", 0o700),
        "etc/tableside/nats": ("root", "tableside-nats", 0o750),
        "var/lib/tableside-floor": ("tableside-floor", "tableside-floor", 0o700),
        "var/lib/tableside-nats": ("tableside-nats", "tableside-nats", 0o700),
        "var/lib/tableside-progressive": ("tableside-progressive", "tableside-progressive", 0o750),
    },
}
"""Owner, group and mode of each, by package."""


@pytest.mark.parametrize("package", USERS)
def test_all_users_would_be_made(package: str, root: Path) -> None:
    output = ran("systemd-sysusers", "--dry-run", f"--root={root}", SYSTEMD / f"{package}.sysusers")
    assert "Would create" in output or "Creating" in output
    for user in USERS[package]:
        assert f"'{user}'" in output
    assert "tableside" not in (root / "etc/passwd").read_text()


@pytest.mark.parametrize("package", USERS)
def test_users_cannot_sign_in_and_folders_are_theirs(package: str, root: Path) -> None:
    ran("systemd-sysusers", f"--root={root}", SYSTEMD / f"{package}.sysusers")
    passwd = [line.split(":") for line in (root / "etc/passwd").read_text().splitlines()]
    users = {line[0]: line for line in passwd}
    assert {users[name][6] for name in USERS[package]} == {"/usr/sbin/nologin"}
    if os.geteuid() == 0:  # only root gives folders away
        ran("systemd-tmpfiles", "--create", f"--root={root}", SYSTEMD / f"{package}.tmpfiles")
        for folder, (owner, group, mode) in FOLDERS[package].items():
            kept = (root / folder).stat()
            assert (kept.st_uid, kept.st_gid) == (int(users[owner][2]), groups(root)[group][0]), folder
            assert kept.st_mode & 0o7777 == mode, folder


def groups(root: Path) -> dict[str, tuple[int, set[str]]]:
    """Number and members of each group."""
    lines = (line.split(":") for line in (root / "etc/group").read_text().splitlines())
    return {name: (int(number), set(members.split(",")) - {""}) for name, _, number, members in lines}


def test_users_are_in_the_groups_that_they_need_and_in_no_other(root: Path) -> None:
    for package in USERS:
        ran("systemd-sysusers", f"--root={root}", SYSTEMD / f"{package}.sysusers")
    found = groups(root)
    memberships = {
        user: {name for name, (_, members) in found.items() if user in members}
        for users in USERS.values()
        for user in users
    }
    assert memberships == {
        "tableside": {"tableside", "tableside-journal", "tableside-clients"},
        "tableside-web": {"tableside-journal", "tableside-clients"},
        "tableside-kiosk": set(),
        "tableside-uplink": {"tableside-journal", "tableside-clients"},
        "tableside-bridge": {"tableside-journal", "tableside-clients"},
        "tableside-floor": set(),
        "tableside-nats": set(),
        "tableside-progressive": set(),
    }
