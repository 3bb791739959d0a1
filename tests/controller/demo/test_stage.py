"""What the stage of a demonstration decides before anything runs."""

import socket
from pathlib import Path

import pytest

from controller.config import Config, read
from controller.demo import reservations
from controller.demo.reservations import LOOPBACK, free_port
from controller.demo.settings import DemoSettings
from controller.demo.table import DemoTable, configuration


def test_two_stages_have_pages_of_their_own(tmp_path: Path) -> None:
    one, other = DemoTable(tmp_path / "one", DemoSettings()), DemoTable(tmp_path / "other", DemoSettings())
    assert one.address != other.address


def test_a_free_port_is_one_that_the_system_gives_to_no_connection() -> None:
    first, last = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text("ascii").split())
    with socket.create_server((LOOPBACK, 0)) as server:
        assert first <= server.getsockname()[1] <= last
    assert not first <= free_port() <= last


def test_a_free_port_is_one_that_no_program_listens_on(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, *others = ports = [free_port() for _ in range(4)]
    monkeypatch.setattr(reservations, "PORTS", ports)
    monkeypatch.setattr(reservations, "_previous", set())
    with socket.create_server((LOOPBACK, taken)):
        assert {free_port() for _ in others} == {*others}


@pytest.mark.parametrize("usb", [False, True])
def test_a_demonstration_touches_no_table_but_its_own(tmp_path: Path, usb: bool) -> None:
    stage = DemoTable(tmp_path / "demo", DemoSettings(usb=usb))
    stage.folder.mkdir()
    stage.config.write_text(configuration(stage))
    config = read(stage.config)
    assert config.table.name == "Demonstration"
    assert Path(config.journal.path).parent == stage.folder
    for name, device in config.devices.configured().items():
        assert device.serial == f"SIM-{name.upper()}"
        assert device.port.startswith(("usb://1209:", str(stage.folder)))


def test_a_daemon_has_no_mode_but_play() -> None:
    words = {word for name, field in Config.model_fields.items() for word in (name, str(field.description))}
    assert not {word for word in words if {"test", "demo", "simulate"} & set(word.lower().split())}
