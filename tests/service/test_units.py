"""The units, judged offline by systemd's own tools."""

import re
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
CORE = "tableside.service"
WEB = "tableside-web.service"
KIOSK = "tableside-kiosk.service"
UPLINK = "tableside-uplink.service"
BRIDGE = "tableside-bridge.service"
PROGRESSIVE = "tableside-progressive.service"
FLOOR = "tableside-floor.service"
NATS = "tableside-nats.service"
UNITS = {CORE: 12, WEB: 15, KIOSK: 20, UPLINK: 15, BRIDGE: 15, PROGRESSIVE: 15, FLOOR: 15, NATS: 15}
"""The greatest exposure, in tenths, that systemd-analyze may find in each."""
DRIVERS = {"char-ttyUSB": "usbserial", "char-ttyACM": "cdc_acm", "char-usb_device": "usbcore"}
"""The module that brings each name of a device."""
PROGRAMS = (
    "usr/bin/tableside",
    "usr/bin/env",
    "usr/bin/timeout",
    "opt/tableside/bin/nats-server",
    "bin/sh",
)


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
    for target in ("sysinit", "basic", "shutdown", "multi-user", "network", "network-online"):
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
    unit = root / "usr/lib/systemd/system" / CORE
    unit.write_text(unit.read_text().replace("ProtectSystem=strict", "ProtectSystems=strict"))
    assert "ProtectSystems" in said("systemd-analyze", "verify", "--man=no", f"--root={root}", CORE)


@pytest.mark.parametrize(("unit", "worst"), UNITS.items())
def test_the_units_can_reach_little_of_the_machine(unit: str, worst: int) -> None:
    said("systemd-analyze", "security", "--offline=true", f"--threshold={worst}", SYSTEMD / unit)


def test_ports_and_usb_are_within_reach_and_no_other_device() -> None:
    assert settings("tableside.service", "DevicePolicy") == ["closed"]
    assert settings("tableside.service", "DeviceAllow") == [
        "char-ttyUSB rw",
        "char-ttyACM rw",
        "char-usb_device rw",
    ]
    assert not settings("tableside.service", "PrivateDevices")  # it would hide them


def test_the_drivers_of_the_ports_are_there_before_their_numbers_are_looked_up() -> None:
    """systemd allows nothing for the name of a driver that is not loaded yet."""
    names = {line.split()[0] for line in settings(CORE, "DeviceAllow")}
    assert names == set(DRIVERS)
    loaded = {f"modprobe@{module}.service" for module in DRIVERS.values()}
    for setting in ("Wants", "After"):
        assert loaded <= set(" ".join(settings(CORE, setting)).split())


def test_the_daemon_has_no_network_and_the_pages_no_device() -> None:
    assert settings(CORE, "RestrictAddressFamilies") == ["AF_UNIX AF_NETLINK"]
    assert settings(CORE, "IPAddressDeny") == ["any"]
    assert not settings(CORE, "IPAddressAllow")
    assert settings(WEB, "PrivateDevices") == ["yes"]
    assert not settings(WEB, "DeviceAllow")


def test_the_pages_have_another_user_than_the_daemon_and_write_nowhere() -> None:
    assert settings(WEB, "User") == ["tableside-web"] != settings(CORE, "User")
    assert settings(WEB, "ProtectSystem") == ["strict"]
    for name in ("ReadWritePaths", "StateDirectory", "RuntimeDirectory", "ConfigurationDirectory"):
        assert not settings(WEB, name)


def test_the_daemon_sees_whose_programs_open_its_socket() -> None:
    """In a user namespace, every other user would be nobody, the pages too."""
    assert settings(CORE, "PrivateUsers") == ["no"]
    assert settings(CORE, "RuntimeDirectoryMode") == ["0755"]


def test_the_pages_find_the_socket_of_the_daemon() -> None:
    assert settings(CORE, "RuntimeDirectory") == ["tableside"]
    assert settings(WEB, "Environment") == ["RUNTIME_DIRECTORY=%t/tableside"]


def test_the_uplink_has_a_user_of_its_own_reads_the_journal_and_writes_nowhere() -> None:
    from controller.floor.uplink.configuration import CREDENTIAL
    from drivers.key_files import ABSENT

    assert settings(UPLINK, "User") == ["tableside-uplink"]
    assert settings(UPLINK, "SupplementaryGroups") == ["tableside-journal tableside-clients"]
    assert settings(UPLINK, "Environment") == settings(WEB, "Environment")
    assert settings(UPLINK, "PrivateDevices") == ["yes"]
    assert settings(UPLINK, "LoadCredential") == [f"{CREDENTIAL}:/etc/tableside/keys/{CREDENTIAL}"]
    assert settings(UPLINK, "SetCredential") == [f"{CREDENTIAL}:{ABSENT.decode()}"]
    for name in ("ReadWritePaths", "StateDirectory", "RuntimeDirectory", "ConfigurationDirectory"):
        assert not settings(UPLINK, name)


def test_the_bridge_has_a_user_of_its_own_and_sees_no_other_key() -> None:
    from controller.bridge.service import CREDENTIALS

    assert settings(BRIDGE, "User") == ["tableside-bridge"]
    assert settings(BRIDGE, "SupplementaryGroups") == ["tableside-journal tableside-clients"]
    assert settings(BRIDGE, "Environment") == settings(WEB, "Environment")
    assert settings(BRIDGE, "PrivateDevices") == ["yes"]
    assert settings(BRIDGE, "LoadCredential") == [f"{CREDENTIALS}:/etc/tableside/keys/{CREDENTIALS}"]
    assert settings(BRIDGE, "StateDirectory") == ["tableside-bridge"]
    for name in ("ReadWritePaths", "RuntimeDirectory", "ConfigurationDirectory"):
        assert not settings(BRIDGE, name)


def test_a_linked_progressive_has_a_user_and_a_key_of_its_own() -> None:
    from controller.floor.progressive.service import CREDENTIALS, KEY
    from drivers.key_files import ABSENT

    assert settings(PROGRESSIVE, "User") == ["tableside-progressive"]
    assert not settings(PROGRESSIVE, "SupplementaryGroups")
    assert [name.split(":")[0] for name in settings(PROGRESSIVE, "LoadCredential")] == [KEY, CREDENTIALS]
    assert settings(PROGRESSIVE, "SetCredential") == [f"{CREDENTIALS}:{ABSENT.decode()}"]
    assert settings(PROGRESSIVE, "PrivateDevices") == ["yes"]


def test_the_floor_has_a_user_of_its_own_and_root_keeps_its_keys() -> None:
    from controller.floor.keys import CREDENTIAL
    from controller.floor.service.servers import CREDENTIALS
    from controller.monitor.server.tls import KEY_CREDENTIAL

    assert settings(FLOOR, "User") == ["tableside-floor"]
    assert not settings(FLOOR, "SupplementaryGroups")
    assert [key.split(":")[0] for key in settings(FLOOR, "LoadCredential")] == [
        CREDENTIAL,
        CREDENTIALS,
        KEY_CREDENTIAL,
    ]
    assert settings(FLOOR, "StateDirectory") == ["tableside-floor"]


def test_a_server_has_a_user_of_its_own_that_sees_no_key_of_the_floor() -> None:
    from controller.floor.authority.server_files import ServerPaths

    assert settings(NATS, "User") == ["tableside-nats"]
    assert not settings(NATS, "LoadCredential")
    assert [f"/var/lib/{folder}" for folder in settings(NATS, "StateDirectory")] == [str(ServerPaths().store)]


def test_a_busy_computer_serves_the_table_first() -> None:
    for name in ("CPUWeight", "IOWeight"):
        [daemon], [pages] = settings(CORE, name), settings(WEB, name)
        assert int(daemon) >= 50 * int(pages)
    assert settings(CORE, "MemorySwapMax") == ["0"]
    assert settings(WEB, "MemoryMax")
    [daemon], [pages] = settings(CORE, "OOMScoreAdjust"), settings(WEB, "OOMScoreAdjust")
    assert int(daemon) < 0 < int(pages)


@pytest.mark.parametrize("unit", UNITS)
def test_no_number_of_failures_keeps_a_unit_from_starting_again(unit: str) -> None:
    assert settings(unit, "StartLimitIntervalSec") == ["0"]
    assert settings(unit, "Restart") == ["always"]


@pytest.mark.parametrize("unit", UNITS)
def test_no_dump_of_memory_is_written(unit: str) -> None:
    assert settings(unit, "LimitCORE") == ["0"]


def test_no_service_starts_before_it_is_configured() -> None:
    for unit in (CORE, WEB, KIOSK, UPLINK, BRIDGE):
        assert "/etc/tableside/table.toml" in settings(unit, "ConditionPathExists")
    assert settings(PROGRESSIVE, "ConditionPathExists") == ["/etc/tableside/progressive.toml"]
    assert settings(FLOOR, "ConditionPathExists") == ["/etc/tableside/floor.toml"]
    assert settings(NATS, "ConditionPathExists") == ["/etc/tableside/nats/server.conf"]


def test_faults_of_the_configuration_are_not_tried_again() -> None:
    from controller.process.faults import USAGE

    for unit in (CORE, WEB, UPLINK, BRIDGE, PROGRESSIVE, FLOOR):
        assert settings(unit, "RestartPreventExitStatus") == [str(USAGE)]


def test_the_folder_of_keys_is_called_as_the_daemon_looks_for_it() -> None:
    from drivers.key_files import FOLDER

    assert settings("tableside.service", "LoadCredential") == [f"{FOLDER}:/etc/tableside/keys"]


def test_the_pages_get_their_own_secrets_and_no_key_of_a_device() -> None:
    from controller.monitor.server.metrics_guard import CREDENTIAL
    from controller.monitor.server.tls import KEY_CREDENTIAL
    from drivers.key_files import ABSENT

    own = (KEY_CREDENTIAL, CREDENTIAL)
    assert settings(WEB, "LoadCredential") == [f"{name}:/etc/tableside/keys/{name}" for name in own]
    assert settings(WEB, "SetCredential") == [f"{name}:{ABSENT.decode()}" for name in own]


def test_the_screens_session_is_where_the_kiosk_can_reach_it() -> None:
    """ProtectHome= hides /run/user too: a compositor would have no socket there, and show nothing."""
    kiosk = "tableside-kiosk.service"
    [command] = settings(kiosk, "ExecStart")
    assert settings(kiosk, "ProtectHome") == ["yes"]
    assert command.startswith(
        "/usr/bin/env XDG_RUNTIME_DIR=%t/tableside-kiosk /usr/bin/timeout --foreground 0 "
    )


def test_the_screens_service_may_open_its_own_terminal() -> None:
    """systemd opens it after DevicePolicy= applies; without the right, the kiosk does not start."""
    [terminal] = settings(KIOSK, "TTYPath")
    assert settings(KIOSK, "DevicePolicy") == ["closed"]
    assert settings(KIOSK, "DeviceAllow") == [f"{terminal} rw"]


def test_what_the_screens_programs_say_is_found_under_the_name_that_the_manual_gives() -> None:
    """logind moves them out of the unit, so the log has them under their identifier alone."""
    [name] = settings(KIOSK, "SyslogIdentifier")
    manual = (SYSTEMD.parent / "docs/install.md").read_text("utf-8")
    assert f"`journalctl --identifier {name}`" in manual


def test_the_browsers_policy_lies_where_the_kiosk_writes_it() -> None:
    from controller.commands.handlers.kiosk import FOLDER

    kiosk = "tableside-kiosk.service"
    assert settings(kiosk, "RuntimeDirectory") == [f"tableside-kiosk tableside-kiosk/{FOLDER}"]
    bound = f"%t/tableside-kiosk/{FOLDER}:/etc/chromium/policies/managed"
    assert settings(kiosk, "BindReadOnlyPaths") == [bound]
