"""docs/install.md without a machine to run it in: everything that it names exists."""

import re
import shlex

import pytest
from typer.main import get_group
from typer.testing import CliRunner

from controller.commands.app import app
from tests.package.page import BY_HAND, INSTALL, PAGE, commands, run_here

BY_HAND_LINES = {
    "udevadm info --query=property --name=/dev/tableside/SHOE-1",
    "nano /etc/tableside/table.toml",
    f"{INSTALL} chromium cage xwayland dbus libpam-systemd fonts-liberation",
    "systemctl enable --now tableside-kiosk",
    "systemctl disable --now tableside-kiosk",
}
"""Lines that no test runs: they need real hardware, a screen or an editor."""
SUBCOMMAND = re.compile(r"^(runuser -u tableside -- )?tableside ")
OPTION = re.compile(r"--[a-z][a-z-]*")


def ours() -> list[list[str]]:
    """The arguments of each use of our own command."""
    return [
        shlex.split(SUBCOMMAND.sub("", line), comments=True) for line in commands() if SUBCOMMAND.match(line)
    ]


def test_the_lines_that_nobody_runs_are_listed() -> None:
    by_hand = {line.removesuffix(BY_HAND).strip() for line in commands() if line.endswith(BY_HAND)}
    assert by_hand == BY_HAND_LINES


def test_all_steps_of_a_tables_life_are_run() -> None:
    wanted = (
        INSTALL,
        "ls /dev/tableside",
        "tableside check-config",
        "tableside provision",
        "tableside certificate",
        "runuser -u tableside -- tableside users add",
        "systemctl start",
        "tableside kiosk",
        "tableside verify",
        "tar --create",
        f"{INSTALL} ./new/",
        f"{INSTALL} --allow-downgrades",
        "tar --extract",
        "apt-get remove",
        "apt-get purge",
    )
    places = [
        next(place for place, line in enumerate(run_here()) if line.startswith(step)) for step in wanted
    ]
    assert places[1:] == sorted(places[1:])


@pytest.mark.parametrize("arguments", ours(), ids=" ".join)
def test_our_own_commands_and_options_exist(arguments: list[str]) -> None:
    path = [word for word in arguments[:2] if re.fullmatch(r"[a-z-]+", word) and not word.startswith("--")]
    path = path if arguments[0] == "users" else path[:1]
    shown = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert shown.exit_code == 0, arguments
    assert not path or path[0] in get_group(app).commands
    used = {word for word in arguments if word.startswith("--")}
    assert used <= set(OPTION.findall(shown.stdout)), arguments


def test_files_that_it_names_are_those_of_the_package() -> None:
    from systemd.deb.layout import TABLE

    named = set(re.findall(r"/usr/(?:share|lib)/[\w./-]*\w", PAGE.read_text("utf-8")))
    assert named
    assert named <= {f"/{target}" for target in map(str, TABLE.files.values())}
