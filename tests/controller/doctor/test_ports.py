"""A port is examined without being opened: absent, forbidden, open in another program, or as it must be."""

import os
import pty
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from controller.doctor.ports import check_ports
from controller.doctor.subject import Account
from tests.controller.doctor.examined import found, subject

PORT = "port of the shoe"


@pytest.fixture
def port() -> Iterator[Path]:
    """A pseudo-terminal that only this process has open."""
    here, there = pty.openpty()
    path = Path(os.ttyname(there))
    os.close(there)
    yield path
    os.close(here)


@contextmanager
def other_program(port: Path) -> Iterator[int]:
    """A program that has the port open; yields its process id."""
    script = 'exec 3<>"$0"; echo open; read end'
    with subprocess.Popen(
        ["sh", "-c", script, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        yield process.pid
        process.communicate("end\n")


def test_a_port_that_nobody_has_open_is_as_it_must_be(tmp_path: Path, port: Path) -> None:
    one = found(check_ports(subject(tmp_path, port)), PORT)
    assert (one.status, one.text) == ("ok", str(port))


def test_a_port_in_another_program_is_a_fault_that_names_the_program(tmp_path: Path, port: Path) -> None:
    with other_program(port) as process:
        one = found(check_ports(subject(tmp_path, port)), PORT)
    assert one.status == "fault"
    assert one.text == f"{port} is also open in sh (process {process})"
    assert one.todo == "End that program."


def test_the_daemon_may_have_the_port_open(tmp_path: Path, port: Path) -> None:
    with other_program(port) as process:
        examined = replace(subject(tmp_path, port), core=process)
        one = found(check_ports(examined), PORT)
    assert (one.status, one.text) == ("ok", f"{port}, open in the daemon")


def test_an_absent_port_is_a_fault(tmp_path: Path) -> None:
    one = found(check_ports(subject(tmp_path, tmp_path / "absent")), PORT)
    assert one.status == "fault"
    assert one.text == f"{tmp_path / 'absent'}: No such file or directory"
    assert one.todo.startswith("Plug the device in")


def test_a_port_that_the_service_may_not_open_is_a_fault(tmp_path: Path, port: Path) -> None:
    stranger = Account("stranger", 65000, frozenset({65000}))
    one = found(check_ports(replace(subject(tmp_path, port), user=stranger)), PORT)
    assert one.status == "fault"
    assert "stranger may not read and write it (mode 06" in one.text
    member = Account("member", 65000, frozenset({port.stat().st_gid}))
    port.chmod(0o660)
    assert found(check_ports(replace(subject(tmp_path, port), user=member)), PORT).status == "ok"


def test_a_device_server_is_not_asked(tmp_path: Path) -> None:
    one = found(check_ports(subject(tmp_path)), "port of the sensors")
    assert (one.status, "is reached only by opening the port" in one.text) == ("not checked", True)


def test_an_absent_usb_device_is_a_fault(tmp_path: Path) -> None:
    one = found(check_ports(subject(tmp_path, "usb://1209:0001/NOT-HERE")), PORT)
    assert (one.status, one.text) == ("fault", "usb://1209:0001/NOT-HERE is absent")
