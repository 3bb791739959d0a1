"""The daemon as a process: it starts without a device, says what is wrong, and ends in order."""

import html
import json
import os
import re
import resource
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from controller.config import read
from controller.monitor.client import fetch_status
from tests.fixtures.daemon_process import configured, named, notified
from tests.fixtures.fork_server import running
from tests.fixtures.hired import TYPED, hire
from tests.fixtures.loopback import CLIENT_OPTIONS
from tests.fixtures.waiting import PATIENCE, until
from tests.system.command import tableside_here

pytestmark = pytest.mark.usefixtures("fork_server")

WORDS = ("--round", "1", "--who", "Ann", "--why", "seen")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    hire(tmp_path)
    return configured(tmp_path)


def supervise(config: Path, choice: str) -> subprocess.CompletedProcess[str]:
    """The command in Ann's name, with her password."""
    return tableside_here("supervise", choice, *WORDS, "--config", str(config), typed=TYPED)


def refused(config: Path) -> tuple[int | None, str]:
    """Exit status and output of a daemon that does not start."""
    with running(["controller", "run", "--config", str(config)], {}) as process:
        _, said = process.communicate(timeout=PATIENCE)
        return process.returncode, said


@contextmanager
def daemon(config: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A ready daemon, and the address of the page that a web server shows of it."""
    with notified(config, "run") as (process, say), running(["controller", "web", *named(config)], {}):
        assert say() == "READY=1\nSTATUS=The table is ready"
        port = read(config).web.port
        until(lambda: fetch_status("127.0.0.1", port) != "absent")
        yield process, f"http://127.0.0.1:{port}/"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_daemon_starts_without_devices_and_ends_in_order(config: Path, number: signal.Signals) -> None:
    with daemon(config) as (process, page):
        seen = httpx.get(f"{page}api/v1/table", **CLIENT_OPTIONS).json()
        assert seen["table"] == "Table 7"
        assert seen["suspended"] == ["Missing: the shoe", "Missing: the sensors", "Missing: the console"]
        process.send_signal(number)
        _, logged = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
    events = [json.loads(line)["event"] for line in logged.splitlines()]
    assert {"started", "own files are unchecked", "suspended", "ready", "stopping"} <= {*events}
    assert events.count("device missing") == 3
    assert "device lost" not in events
    assert sorted(file.name for file in config.parent.iterdir()) == [
        "access.db",
        "journal",
        "journal-head",
        "journal-shm",
        "journal-sums",
        "journal.lock",
        "keys",
        "table.toml",
    ]


def test_a_kill_leaves_a_journal_to_go_on_with(config: Path) -> None:
    with daemon(config) as (process, _):
        process.kill()
    with daemon(config) as (process, _):
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_a_crash_of_the_daemon_writes_no_memory_to_the_disk(config: Path) -> None:
    with daemon(config) as (process, _):
        assert resource.prlimit(process.pid, resource.RLIMIT_CORE) == (0, 0)


def test_a_second_daemon_on_one_journal_is_refused(config: Path) -> None:
    with daemon(config):
        status, said = refused(config)
    assert status == 1
    assert "in use by another daemon" in said


def test_faults_of_the_configuration_end_the_daemon(config: Path) -> None:
    config.write_text(re.sub(r"\nport = [0-9]+", "\nport = -1\ncolour = 3", config.read_text()))
    status, said = refused(config)
    assert status == 2
    assert len(said.splitlines()) == 2
    assert not config.with_name("journal").exists()


def tear(file: Path) -> None:
    file.write_bytes(b"SQLite format 3\0" + b"?" * 4080)


def opened(file: Path) -> None:
    file.chmod(0o644)


def unread(file: Path) -> None:
    """A file that nobody can open, not even root."""
    file.unlink()
    file.mkdir(0o700)


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (tear, "file is not a database"),
        (opened, "its mode is 0644, others can read it; chmod 600"),
        (unread, "unable to open database file"),
    ],
)
def test_a_table_plays_though_nobody_can_sign_in(
    config: Path, harm: Callable[[Path], None], why: str
) -> None:
    file = config.with_name("access.db")
    whole = file.read_bytes()
    harm(file)
    before = content(file)
    sentence = f"Nobody can sign in: accounts {file} cannot be used: {why}"
    with daemon(config) as (process, page):
        nobody = supervise(config, "resume")
        assert (nobody.returncode, "the accounts" in nobody.stderr) == (1, True)
        assert overridden(config).returncode == (0 if os.geteuid() == 0 else 1)
        assert sentence in get(f"{page}api/v1/table").json()["alerts"]
        assert get(f"{page}health").json()["accounts"] == why
        shown = get(f"{page}sign-in").text
        assert "Nobody can sign in" in shown
        assert html.escape(why) in shown
        assert str(file) not in shown
        refused = httpx.post(f"{page}api/v1/session", json={"kind": "badge", "secret": "1"}, **CLIENT_OPTIONS)
        assert refused.status_code == 503
        assert content(file) == before, "nothing is overwritten"
        process.terminate()
        assert process.wait(PATIENCE) == 0
    repair(file, whole)
    with daemon(config) as (_, page):
        assert get(f"{page}health").json()["accounts"] == ""
        assert sentence not in get(f"{page}api/v1/table").json()["alerts"]
        assert "Nobody can sign in" not in get(f"{page}sign-in").text


def overridden(config: Path) -> subprocess.CompletedProcess[str]:
    """Root decides without signing in."""
    words = ("--round", "1", "--config", str(config), "--override", "nobody can sign in")
    return tableside_here("supervise", "resume", *words)


def content(file: Path) -> tuple[int, bytes | None]:
    return file.stat().st_mode, file.read_bytes() if file.is_file() else None


def repair(file: Path, whole: bytes) -> None:
    if file.is_dir():
        file.rmdir()
    file.write_bytes(whole)
    file.chmod(0o600)


def get(url: str) -> httpx.Response:
    return httpx.get(url, **CLIENT_OPTIONS)


def test_supervise_reports_an_absent_daemon_and_sends_a_choice(config: Path) -> None:
    absent = supervise(config, "resume")
    assert (absent.returncode, "no daemon of this table answers" in absent.stderr) == (1, True)
    assert str(config.with_name("journal.sock")) in absent.stderr
    unknown = supervise(config, "hope")
    assert unknown.returncode == 2
    assert unknown.stderr.startswith("tableside: choice = 'hope': not allowed; allowed: burn, card, ")
    with daemon(config):
        assert supervise(config, "resume").returncode == 0
        burn = supervise(config, "burn")
    assert (burn.returncode, burn.stderr) == (1, "tableside: no card waits for a decision\n")


def test_a_repair_at_a_start_is_reported(config: Path) -> None:
    with daemon(config) as (process, _):
        process.terminate()
        process.wait(PATIENCE)
    config.with_name("journal-sums").unlink()
    with daemon(config) as (process, page):
        seen = httpx.get(f"{page}api/v1/table", **CLIENT_OPTIONS).json()
        assert any("sums" in alert and "were missing" in alert for alert in seen["alerts"])
        process.terminate()
        _, logged = process.communicate(timeout=PATIENCE)
    alerts = [line for line in map(json.loads, logged.splitlines()) if line["event"] == "alert"]
    assert [line["text"] for line in alerts] == seen["alerts"]


def test_a_disk_is_lost_and_the_mirror_has_it_all(config: Path) -> None:
    path, copy = config.with_name("journal"), config.parent / "other" / "copy"
    copy.parent.mkdir()
    config.write_text(config.read_text().replace('path = "journal"', f'path = "journal"\nmirror = "{copy}"'))
    with daemon(config) as (process, _):
        process.kill()
    for file in path.parent.glob("journal*"):
        file.unlink()
    with daemon(config) as (process, _):
        process.terminate()
        _, logged = process.communicate(timeout=PATIENCE)
    assert f"journal {path} was not there; {copy} was copied to its place" in logged
    verified = tableside_here("verify", "--config", str(config), "--json")
    assert (verified.returncode, json.loads(verified.stdout)["whole"]) == (0, True)
