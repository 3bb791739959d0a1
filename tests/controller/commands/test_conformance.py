"""`tableside device conformance` on simulated devices that are processes on ptys."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.commands.app import app
from drivers.conformance import operator
from drivers.sim.kinds import KINDS
from tests.fixtures.waiting import PATIENCE, until

KEY = "5a" * 32
SERIAL = "TS-1"
TRIES = 4
"""Checks measure times, which a busy machine can spoil: a sound device passes one of them."""


@dataclass(frozen=True)
class Device:
    """A running simulated device."""

    kind: str
    port: Path
    control: Path
    key: Path

    def examined(self, *words: str) -> tuple[int, str]:
        """Exit status and standard output of the command."""
        who = ["--class", self.kind, "--serial", SERIAL, "--key", str(self.key)]
        ended = CliRunner().invoke(app, ["conformance", str(self.port), *who, *words])
        return ended.exit_code, ended.stdout

    def passes(self, *words: str) -> str:
        """The verdicts of a sound device."""
        for _ in range(TRIES):
            status, said = self.examined(*words)
            if status == 0:
                return said
        raise AssertionError(said)


@contextmanager
def running(kind: str, folder: Path) -> Iterator[Device]:
    """The device, until the block ends."""
    device = Device(kind, folder / "port", folder / "control", folder / "key")
    device.key.write_text(KEY + "\n")
    device.key.chmod(0o600)
    options = ["--link", device.port, "--control", device.control, "--key", device.key, "--serial", SERIAL]
    command = [sys.executable, "-m", "drivers.sim", kind, *map(str, options)]
    with subprocess.Popen(command) as process:
        try:
            until(lambda: device.port.exists() and device.control.exists())
            yield device
        finally:
            process.send_signal(signal.SIGTERM)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator, "ANSWER_SECONDS", PATIENCE)


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[Device]:
    with running("shoe", tmp_path) as device:
        yield device


@pytest.mark.parametrize("kind", KINDS)
def test_simulated_devices_pass_on_a_port(kind: str, tmp_path: Path) -> None:
    with running(kind, tmp_path) as device:
        groups = ["handshake.session", "frames.split", "link.order", "commands.recall-never", "events.reboot"]
        words = [word for group in groups for word in ("--only", group)]
        said = device.passes(*words, "--control", str(device.control))
    assert " 0 failed, 0 not run" in said.splitlines()[-1]


def test_a_device_with_another_serial_number_fails_with_the_bytes(shoe: Device) -> None:
    other = ["--serial", "TS-2", "--only", "handshake.hello"]
    status, said = shoe.examined(*other)
    assert status == 1
    assert "handshake.hello: section 6.1 of firmware-protocol/README.md" in said
    assert "  expected  a Hello of the device with id TS-2" in said
    assert "00 02 10 01 01 01 01 01" in said


def test_checks_after_a_failed_handshake_are_not_run(shoe: Device) -> None:
    shoe.key.write_text("5b" * 32 + "\n")
    status, said = shoe.examined("--only", "handshake.session", "--only", "link", "--json")
    made = json.loads(said)
    verdicts = {check["check"]: check["verdict"] for check in made["checks"]}
    assert status == 1
    assert verdicts["handshake.session"] == "fail"
    assert {verdict for name, verdict in verdicts.items() if name.startswith("link.")} == {"not run"}


def test_unattended_a_check_that_needs_a_hand_is_not_run(shoe: Device) -> None:
    made = json.loads(shoe.passes("--unattended", "--only", "shoe.unpermitted", "--json"))
    assert made["checks"][0]["verdict"] == "not run"
    assert made["checks"][0]["why"] == (
        "nobody is there to do this: Pull one card out of the locked shoe by force"
    )


def test_json_says_what_was_examined(shoe: Device) -> None:
    made = json.loads(shoe.passes("--only", "frames.crc", "--json"))
    assert {name: made[name] for name in ("port", "class", "serial", "seal")} == {
        "port": str(shoe.port),
        "class": "shoe",
        "serial": SERIAL,
        "seal": "sealed",
    }
    assert made["checks"][0]["check"] == "frames.crc"


WHO = ["--class", "shoe", "--serial", "S"]


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["--class", "dice", "--serial", "S", "--seal", "none"], 2, "--class 'dice' is not allowed"),
        (WHO, 2, "give --key FILE or --seal none, and not both"),
        ([*WHO, "--seal", "wax"], 2, "--seal 'wax' is not allowed"),
        ([*WHO, "--seal", "none", "--only", "frame"], 2, "--only 'frame' is not a check"),
        ([*WHO, "--seal", "none", "--only", "sensors.ttl"], 2, "'sensors.ttl' belongs to another class"),
        ([*WHO, "--seal", "none"], 1, "port /nowhere cannot be opened"),
        ([*WHO, "--key", "/nowhere.key"], 1, "key /nowhere.key is missing"),
    ],
)
def test_impossible_options_are_named(words: list[str], status: int, says: str) -> None:
    ended = CliRunner().invoke(app, ["conformance", "/nowhere", *words])
    assert ended.exit_code == status
    assert says in ended.stderr
