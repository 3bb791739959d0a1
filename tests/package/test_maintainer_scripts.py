"""What the package says and does to a table with one service that it is upgraded on. The script runs in a
folder instead of a whole machine; `make deb-test` runs it in one."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "systemd" / "deb" / "maintainer" / "tableside"
NOTHING = ("systemd-sysusers", "systemd-tmpfiles", "find")
"""Programs that need users of the whole machine."""
CONFIG = """
[table]
name = "Table 7"
game = "easy-jack"
[journal]
path = "journal"
[devices.shoe]
port = "/dev/a"
serial = "SHOE-1"
[devices.sensors]
port = "{port}"
serial = "SENSORS-1"
[devices.console]
port = "/dev/c"
serial = "CONSOLE-1"
"""


class Computer:
    """A folder with the files of a table's computer. `known`: its package had the pages' service before;
    `readable`: the pages can read the configuration."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.known, self.readable = False, True
        self.write("etc/tableside/table.toml", CONFIG.format(port="/dev/b"))
        (root / "var/lib/tableside").mkdir(parents=True)
        self._program("opt/tableside/bin/tableside", f'exec {sys.executable} -m controller "$@"')

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def _program(self, name: str, line: str) -> None:
        self.write(name, f"#!/bin/sh\n{line}\n")
        (self.root / name).chmod(0o755)

    def configure(self, before: str = "0.0.9") -> str:
        """The output of postinst after an upgrade from the version `before`; empty: after an installation."""
        for name in NOTHING:
            self._program(f"bin/{name}", "exit 0")
        self._program("bin/deb-systemd-helper", f'[ "$1" != debian-installed ] || {_status(self.known)}')
        self._program("bin/runuser", _status(self.readable))
        script = (SCRIPTS / "postinst").read_text()
        for folder in ("/etc/", "/var/lib/", "/opt/", "/run/"):
            script = script.replace(folder, f"{shlex.quote(str(self.root))}{folder}")
        done = subprocess.run(
            ["sh", "-c", script, "postinst", "configure", before],
            env={"PATH": f"{self.root}/bin:/usr/bin:/bin", "PYTHONPATH": str(SCRIPTS.parents[3])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stderr

    @property
    def seal(self) -> Path:
        return self.root / "etc/tableside/keys/journal.seal"

    @property
    def handed_over(self) -> Path:
        return self.root / "etc/systemd/system/tableside-web.service.d/from-tableside.conf"


def _status(good: bool) -> str:
    return "exit 0" if good else "exit 1"


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    return Computer(tmp_path)


def test_a_configured_table_gets_a_seal_key_once(computer: Computer) -> None:
    assert f"{computer.seal}, new" in computer.configure()
    made = computer.seal.read_text()
    assert f"{computer.seal}, as before" in computer.configure()
    assert computer.seal.read_text() == made


def test_a_table_that_nobody_has_configured_gets_no_key(computer: Computer) -> None:
    (computer.root / "etc/tableside/table.toml").unlink()
    assert computer.configure("") == ""
    assert not computer.seal.exists()


def test_a_seal_key_that_is_kept_encrypted_stays_the_only_one(computer: Computer) -> None:
    line = "LoadCredentialEncrypted=journal.seal:/etc/credstore.encrypted/table.seal"
    computer.write("etc/systemd/system/tableside.service.d/keys.conf", f"[Service]\n{line}\n")
    computer.configure()
    assert not computer.seal.exists()


def test_a_key_that_cannot_be_made_is_said_and_stops_no_upgrade(computer: Computer) -> None:
    computer.write("etc/tableside/table.toml", "[table]\n")
    said = computer.configure()
    assert "the key that seals face-down cards is not there, so they are not sealed: " in said
    assert "table.name is missing" in said


def test_the_pages_get_the_settings_that_are_about_them(computer: Computer) -> None:
    lines = ["IPAddressDeny=any", "IPAddressAllow=10.7.0.0/24", "LoadCredentialEncrypted=web.key"]
    others = ["ReadWritePaths=/mnt/second", "LoadCredentialEncrypted=shoe.key"]
    text = "\n".join(["[Service]", *lines, *others, ""])
    computer.write("etc/systemd/system/tableside.service.d/override.conf", text)
    assert f"{computer.handed_over} has the settings of" in computer.configure()
    assert computer.handed_over.read_text().splitlines()[1:] == ["[Service]", *lines]


def test_settings_are_handed_over_only_by_the_first_upgrade(computer: Computer) -> None:
    computer.known = True
    computer.write(
        "etc/systemd/system/tableside.service.d/override.conf", "[Service]\nIPAddressAllow=10.7.0.31\n"
    )
    computer.configure()
    assert not computer.handed_over.exists()


def test_an_upgrade_names_what_a_person_must_do(computer: Computer) -> None:
    computer.readable = False
    computer.write("etc/tableside/table.toml", CONFIG.format(port="socket://10.7.0.31:4001"))
    computer.write("etc/systemd/system/tableside.service", "[Service]\n")
    said = computer.configure()
    for words in (
        "the user tableside-web cannot read",
        "hides the unit of the package",
        "the daemon has no network",
    ):
        assert words in said


def test_an_upgrade_names_the_key_that_this_version_needs(computer: Computer) -> None:
    computer.write(
        "etc/tableside/table.toml", CONFIG.format(port="/dev/b").replace("easy-jack", "blackjack-x")
    )
    said = computer.configure()
    assert "the configuration must change before the table can play" in said
    assert "table.currency is missing, with the jackpot blazing-7s" in said
    assert "must change" not in computer.configure("")


def test_an_upgrade_with_nothing_to_do_says_nothing_else(computer: Computer) -> None:
    computer.configure()
    assert computer.configure().splitlines() == [
        f"tableside: key that seals cards: {computer.seal}, as before"
    ]
