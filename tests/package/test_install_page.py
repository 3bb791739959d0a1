"""docs/install.md and docs/install-floor.md without a machine to run them in: everything that they name
exists."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.commands.app import app
from systemd.deb import packages
from systemd.deb.layout import FLOOR, TABLE
from tests.fixtures.command_line import called
from tests.package.page import BY_HAND, FLOOR_PAGE, INSTALL, PAGE, commands, run_here, screen_packages

SERVERS = "nats-1.house.example:/etc/tableside/authority/servers"
BY_HAND_LINES = {
    PAGE: {
        "udevadm info --query=property --name=/dev/tableside/SHOE-1",
        "nano /etc/tableside/table.toml",
        f"{INSTALL} chromium cage xwayland dbus libpam-systemd polkitd fonts-liberation",
        "systemctl enable --now tableside-kiosk",
        "systemctl disable --now tableside-kiosk",
        "mkdir --parents /etc/systemd/system.conf.d",
        r"printf '[Manager]\nRuntimeWatchdogSec=30s\n' > /etc/systemd/system.conf.d/watchdog.conf",
        "systemctl daemon-reexec",
        "wdctl",
    },
    FLOOR_PAGE: {
        "nano /etc/tableside/floor.toml",
        "nano /etc/tableside/table.toml",
        "nano /etc/tableside/progressive.toml",
        f"scp {SERVERS}/accounts.conf /etc/tableside/nats/accounts.conf",
        f"scp {SERVERS}/nats-2.house.example-4222.conf /etc/tableside/nats/server.conf",
    },
}
"""Lines that no test runs: they need real hardware, a screen, an editor or a network."""
PAGES = pytest.mark.parametrize("page", BY_HAND_LINES, ids=lambda page: page.name)
SUBCOMMAND = re.compile(r"^(runuser -u tableside(-floor)? -- )?tableside ")
OPTION = re.compile(r"--[a-z][a-z-]*")


def ours() -> list[list[str]]:
    """The arguments of each use of our own command, without where its output goes."""
    lines = (line for page in BY_HAND_LINES for line in commands(page) if SUBCOMMAND.match(line))
    return [shlex.split(SUBCOMMAND.sub("", line).partition(" >")[0], comments=True) for line in lines]


@PAGES
def test_the_lines_that_nobody_runs_are_listed(page: Path) -> None:
    by_hand = {line.rpartition("#")[0].strip() for line in commands(page) if line.endswith(BY_HAND)}
    assert by_hand == BY_HAND_LINES[page]


def test_a_screen_needs_what_the_package_recommends() -> None:
    """Without polkitd, logind refuses to activate the session, and the compositor waits for ever."""
    [recommended] = re.findall("^Recommends: (.*)$", packages.TABLE.fields, re.MULTILINE)
    assert set(recommended.split(", ")) == set(screen_packages())
    assert "polkitd" in screen_packages()


def test_all_steps_of_a_tables_life_are_run() -> None:
    wanted = (
        INSTALL,
        "ls /dev/tableside",
        "tableside table check",
        "tableside device provision",
        "tableside table certificate",
        "runuser -u tableside -- tableside people add",
        "systemctl start",
        "tableside table kiosk",
        "tableside journal verify",
        "tar --create",
        f"{INSTALL} ./new/",
        f"{INSTALL} --allow-downgrades",
        "tar --extract",
        "apt-get remove",
        "apt-get purge",
    )
    places = [
        next(place for place, line in enumerate(run_here()) if line.command.startswith(step))
        for step in wanted
    ]
    assert places[1:] == sorted(places[1:])


@pytest.mark.parametrize("arguments", ours(), ids=" ".join)
def test_our_own_commands_and_options_exist(arguments: list[str]) -> None:
    command = called(arguments)
    assert command or not arguments[0][:1].isalpha(), arguments
    words = [*command.split(), "--help"]
    shown = CliRunner().invoke(app, words, env={"COLUMNS": "200", "NO_COLOR": "1"})
    used = {word for word in arguments if word.startswith("--")}
    assert used <= set(OPTION.findall(shown.stdout)), arguments


@PAGES
def test_files_that_it_names_are_those_of_the_packages(page: Path) -> None:
    named = set(re.findall(r"/usr/(?:share|lib)/[\w./-]*\w", page.read_text("utf-8")))
    assert named
    assert named <= {f"/{target}" for one in (TABLE, FLOOR) for target in map(str, one.files.values())}


def test_each_step_of_a_floor_says_on_which_computer() -> None:
    places = {step.heading.partition(":")[0] for step in run_here(FLOOR_PAGE)}
    chapters = {"A linked progressive", "Upgrade", "Remove"}
    computers = {"Each computer of the floor", "The floor's computer", "Each server", "Each table"}
    assert places == chapters | computers
