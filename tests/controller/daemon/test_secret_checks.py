"""The process that checks passwords fails under a running daemon, and is well again."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from controller.access.errors import HashingFailed
from controller.access.hashing.process import HashingProcess
from controller.daemon.secret_checks import PAUSE, UNCHECKED, watch_secret_checks
from tests.fixtures.access_desk import PASSWORD
from tests.fixtures.daemon_process import DaemonProcess, configured, daemon_process
from tests.fixtures.hired import hire
from tests.fixtures.loopback import CLIENT_OPTIONS
from tests.fixtures.waiting import PATIENCE, come_true, until

PROJECT = Path(__file__).parents[3]
ARGON2 = """
import os, resource, sys
from pathlib import Path
folder = Path(__file__).parents[1]
exec((folder / "harm").read_text())
sys.path.remove(str(folder))
del sys.modules["argon2"]
import argon2
"""
"""Stands in the way of the library that hashes. Only the process that checks a secret loads it."""
HARMS = {
    "os._exit(4)": "the process that does it ended with status 4",
    "os.kill(os.getpid(), 9)": "the process that does it was ended by SIGKILL",
    "bytearray(1 << 62)": "the process that does it ended with status 1",
    "print('no reply'); os._exit(0)": "the process that does it gave no reply that can be read",
    "os.write(1, b'x' * 200_000); os._exit(0)": "the process that does it gave no reply that can be read",
}
pytestmark = pytest.mark.usefixtures("fork_server")


@pytest.fixture
def harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What happens to the process: a program in this file."""
    folder = tmp_path / "harmed"
    (folder / "argon2").mkdir(parents=True)
    (folder / "argon2" / "__init__.py").write_text(ARGON2)
    (folder / "harm").touch()
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{PROJECT}")
    return folder / "harm"


def test_a_sign_in_says_what_fails_and_the_alert_ends_by_itself(tmp_path: Path, harm: Path) -> None:
    hire(tmp_path)
    with daemon_process(configured(tmp_path)) as running:
        running.status()
        assert sign_in(running).status_code == 200
        for program, why in HARMS.items():
            harm.write_text(program)
            refused = sign_in(running)
            assert refused.status_code == 503
            assert f"passwords and PINs cannot be checked: {why}" in refused.text
        until(lambda: "Nobody can sign in with a password or a PIN" in alerts(running))
        harm.write_text("")
        until(lambda: not alerts(running))
        assert sign_in(running).status_code == 200
        assert running.end()[0] == 0


async def test_the_table_tries_again_until_a_secret_is_checked(harm: Path) -> None:
    hashing, told, pauses = HashingProcess(PATIENCE), list[str](), list[float]()

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            harmed("")

    harmed = harm.write_text
    harmed("os._exit(4)")
    watching = asyncio.create_task(watch_secret_checks(hashing, told.append, pause))
    with pytest.raises(HashingFailed):
        await hashing.hash(PASSWORD)
    await come_true(lambda: "" in told)
    watching.cancel()
    assert pauses == [PAUSE] * 3
    assert told == [UNCHECKED.format(why="the process that does it ended with status 4")] * 3 + [""]


def sign_in(running: DaemonProcess) -> httpx.Response:
    who = {"kind": "password", "name": "Ann", "secret": PASSWORD}
    until(lambda: running.get("health"))
    return httpx.post(f"{running.page}api/v1/session", json=who, **CLIENT_OPTIONS)


def alerts(running: DaemonProcess) -> str:
    """The alerts whose cause lasts."""
    return " ".join(json.loads(running.get("api/v1/table")[1])["alerts"])
