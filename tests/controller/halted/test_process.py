"""A table that must not play, as a process: its page stays, its ports are untouched, its end is a failure."""

import json
import os
import pty
import resource
import select
import signal
import socket
import subprocess
import sys
import time
import tty
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.jackpot import UNITS
from controller.journal.chain import Row
from controller.journal.journal import Journal
from tests.controller.test_daemon import COMMAND, CONFIG

PLAIN = ("-c", COMMAND, "run", "--config")
FAILING = ("-m", "tests.controller.halted.failing")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    path.write_text(CONFIG.format(tmp_path).replace("port = 0", f"port = {port}"))
    return path


class Table:
    """A running daemon, whatever it does."""

    def __init__(self, process: subprocess.Popen[str], listener: socket.socket, page: str) -> None:
        self.process, self.page = process, page
        self._listener = listener

    def said(self) -> str:
        """Its next word to systemd, but that it lives."""
        while (told := self._listener.recv(4096).decode()) == "WATCHDOG=1":
            continue
        return told

    def fed(self) -> bool:
        """Whether the next word is that it lives."""
        return self._listener.recv(4096) == b"WATCHDOG=1"

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of an answer."""
        try:
            with urllib.request.urlopen(self.page + path, timeout=10) as answer:  # noqa: S310
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read().decode()

    def until_halted(self) -> str:
        """Its page, once it is."""
        for _ in range(200):
            status, html = self.get("")
            if status == 503 and "Halted" in html:
                return html
            time.sleep(0.05)
        raise AssertionError("it did not halt within 10 s")

    def end(self) -> tuple[int, list[str]]:
        """Ends it as systemd does: exit status, and the lines of its log."""
        self.process.send_signal(signal.SIGTERM)
        _, logged = self.process.communicate(timeout=20)
        return self.process.returncode, logged.splitlines()


@contextmanager
def table(config: Path, command: tuple[str, ...] = PLAIN, watchdog: float = 0) -> Iterator[Table]:
    """A daemon that is to be ended by the test, or is killed."""
    address = config.with_name("notify")
    port = config.read_text().split("[web]\nport = ")[1].split()[0]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(address))
        listener.settimeout(30)
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": str(address),
            "WATCHDOG_USEC": str(round(watchdog * 1e6)),
        }
        words = [sys.executable, *command, str(config)]
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=environment) as process:
            try:
                yield Table(process, listener, f"http://127.0.0.1:{port}/")
            finally:
                process.kill()
    address.unlink()


@contextmanager
def wire(path: Path) -> Iterator[int]:
    """A port with nobody behind it; the end where everything that is sent to it arrives."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    path.symlink_to(os.ttyname(theirs))
    try:
        yield ours
    finally:
        os.close(ours)
        os.close(theirs)


def silent(ours: int) -> bool:
    """Whether nothing was sent."""
    return not select.select([ours], [], [], 0)[0]


def kept(config: Path) -> Path:
    """A journal in which a jackpot moved."""
    books = {"display": 700 * UNITS, "contributions": 200 * UNITS, "seeds": 500 * UNITS}
    told = {"spot": "buster", "kind": "contribution", "before": 0, "after": 700, "why": "x", "books": books}
    path = config.with_name("journal")
    with Journal(path) as journal:
        journal.append(
            [Row(100.0, "meter", json.dumps(told)), Row(1.0, "alert", '{"text": "' + "x" * 9000 + '"}')]
        )
    return path


def test_a_damaged_journal_opens_no_port_and_stays_to_tell(config: Path) -> None:
    path = kept(config)
    content = bytearray(path.read_bytes())
    content[-3000] ^= 1
    path.write_bytes(content)
    with wire(config.with_name("shoe")) as shoe, table(config, watchdog=0.4) as halted:
        said = halted.said()
        assert said.startswith(f"READY=1\nSTATUS=Halted: journal {path} is damaged: ")
        html = halted.until_halted()
        assert "The journal cannot be trusted" in html
        assert "What to do" in html
        assert '<p class="cents">7</p>' in html
        status, text = halted.get("health")
        told = json.loads(text)
        assert (status, told["status"], told["meters"][0]["row"]) == (503, "halted", 1)
        assert "tableside_halted 1.0" in halted.get("metrics")[1]
        assert halted.fed()
        assert silent(shoe)
        assert not config.with_name("journal.sock").exists()
        status, logged = halted.end()
    assert status == 1
    assert logged[-1] == f"tableside: halted: {told['cause']['why']}"
    critical = [line for line in map(json.loads, logged[:-1]) if line["level"] == "critical"]
    assert [(line["event"], line["why"]) for line in critical] == [
        ("The journal cannot be trusted", told["cause"]["why"])
    ]
    assert path.read_bytes() == content


def test_rows_that_make_no_sense(config: Path) -> None:
    with Journal(config.with_name("journal")) as journal:
        journal.append([Row(1.0, "snapshot", '{"rules": {"game": "faro"}}')])
    with wire(config.with_name("shoe")) as shoe, table(config) as halted:
        assert halted.said().startswith("READY=1\nSTATUS=Halted: the journal cannot be replayed: ")
        html = halted.until_halted()
        assert "The journal cannot be trusted" in html
        assert "the journal cannot be replayed: " in html
        assert silent(shoe)
        assert halted.end()[0] == 1


def test_a_disk_that_takes_nothing_more(config: Path) -> None:
    with table(config) as halted:
        assert halted.said().startswith("READY=1\nSTATUS=Page at ")
        assert halted.get("health")[0] == 200
        resource.prlimit(halted.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        resume = [sys.executable, "-c", COMMAND, "supervise", "resume", "--config", str(config)]
        subprocess.run(
            [*resume, "--who", "Ann", "--why", "seen"], capture_output=True, check=False, timeout=30
        )
        html = halted.until_halted()
        assert "The journal cannot be written" in html
        assert halted.said().startswith("READY=1\nSTATUS=Halted: journal ")
        status, logged = halted.end()
    assert status == 1
    assert "cannot be written" in logged[-1]
    assert not any("Traceback" in line for line in logged)


def test_our_own_bug_is_told_without_a_card(config: Path) -> None:
    with table(config, FAILING) as halted:
        assert halted.said().startswith("READY=1\nSTATUS=Page at ")
        halted.process.send_signal(signal.SIGUSR1)
        config.with_name("shoe").symlink_to("/dev/null")  # another reason why the shoe is missing
        html = halted.until_halted()
        assert "The software failed" in html
        assert "KeyError in stumble, line " in html
        told = halted.get("api/v1/table")[1]
        status, logged = halted.end()
    assert status == 1
    everything = "\n".join([html, told, *logged]).replace("Tableside", "")
    assert "Ts" not in everything
    assert any("stumble" in line and '"trace"' in line for line in logged)


def test_an_address_in_use_is_no_reason_to_stay(config: Path) -> None:
    config.with_name("journal").write_bytes(b"\x00" * 5000)
    port = int(config.read_text().split("[web]\nport = ")[1].split()[0])
    with socket.create_server(("127.0.0.1", port)), table(config) as ended:
        _, logged = ended.process.communicate(timeout=20)
        assert ended.process.returncode == 1
    assert f"no page can be served at 127.0.0.1 port {port}" in logged
