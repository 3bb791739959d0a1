"""The units, judged offline by systemd's own tools."""

import re
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = ("tableside.service", "tableside-web.service", "tableside-kiosk.service")
WORST = 20
"""The greatest exposure, in tenths, that systemd-analyze may find."""
PROGRAMS = ("usr/bin/tableside", "usr/bin/env")


def said(*command: str | Path) -> str:
    """The output of a command, which must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine's root with our units, their programs and the parts of systemd that they name."""
    units = tmp_path / "usr/lib/systemd/system"
    units.mkdir(parents=True)
    for unit in UNITS:
        (units / unit).write_text((SYSTEMD / unit).read_text())
    (units / "getty@.service").write_text("[Service]\nExecStart=/usr/bin/env\n")
    for target in ("sysinit", "basic", "shutdown", "multi-user", "network"):
        (units / f"{target}.target").write_text("[Unit]\n")
    for slot in ("system.slice", "-.slice"):
        (units / slot).write_text("[Slice]\n")
    for program in PROGRAMS:
        path = tmp_path / program
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    return tmp_path


def settings(unit: str, name: str) -> list[str]:
    """All values of a setting."""
    return re.findall(rf"^{name}=(.*)$", (SYSTEMD / unit).read_text(), re.MULTILINE)


@pytest.mark.parametrize("unit", UNITS)
def test_every_line_means_something(unit: str, root: Path) -> None:
    assert said("systemd-analyze", "verify", "--man=no", f"--root={root}", unit) == ""


def test_a_line_that_means_nothing_would_be_found(root: Path) -> None:
    unit = root / "usr/lib/systemd/system" / UNITS[0]
    unit.write_text(unit.read_text().replace("ProtectSystem=strict", "ProtectSystems=strict"))
    assert "ProtectSystems" in said("systemd-analyze", "verify", "--man=no", f"--root={root}", UNITS[0])


@pytest.mark.parametrize("unit", UNITS)
def test_the_units_can_reach_little_of_the_machine(unit: str) -> None:
    said("systemd-analyze", "security", "--offline=true", f"--threshold={WORST}", SYSTEMD / unit)


def test_ports_and_usb_are_within_reach_and_no_other_device() -> None:
    assert settings("tableside.service", "DevicePolicy") == ["closed"]
    assert settings("tableside.service", "DeviceAllow") == [
        "char-ttyUSB rw",
        "char-ttyACM rw",
        "char-usb_device rw",
    ]
    assert settings("tableside.service", "RestrictAddressFamilies") == ["AF_UNIX AF_NETLINK"]
    assert not settings("tableside.service", "PrivateDevices")  # it would hide them


@pytest.mark.parametrize("unit", UNITS)
def test_no_dump_of_memory_is_written(unit: str) -> None:
    assert settings(unit, "LimitCORE") == ["0"]


def test_neither_starts_before_a_table_is_configured() -> None:
    for unit in UNITS:
        assert "/etc/tableside/table.toml" in settings(unit, "ConditionPathExists")


def test_faults_of_the_configuration_are_not_tried_again() -> None:
    from controller.process.faults import USAGE

    assert settings("tableside.service", "RestartPreventExitStatus") == [str(USAGE)]


def test_the_folder_of_keys_is_called_as_the_daemon_looks_for_it() -> None:
    from drivers.key_files import FOLDER

    assert settings("tableside.service", "LoadCredential") == [f"{FOLDER}:/etc/tableside/keys"]


def test_the_screens_session_is_where_the_kiosk_can_reach_it() -> None:
    """ProtectHome= hides /run/user too: a compositor would have no socket there, and show nothing."""
    kiosk = "tableside-kiosk.service"
    [command] = settings(kiosk, "ExecStart")
    assert settings(kiosk, "ProtectHome") == ["yes"]
    assert command.startswith(
        "/usr/bin/env XDG_RUNTIME_DIR=%t/tableside-kiosk /usr/bin/timeout --foreground 0 "
    )


def test_the_browsers_policy_lies_where_the_kiosk_writes_it() -> None:
    from controller.commands.kiosk import FOLDER

    kiosk = "tableside-kiosk.service"
    assert settings(kiosk, "RuntimeDirectory") == [f"tableside-kiosk tableside-kiosk/{FOLDER}"]
    bound = f"%t/tableside-kiosk/{FOLDER}:/etc/chromium/policies/managed"
    assert settings(kiosk, "BindReadOnlyPaths") == [bound]
