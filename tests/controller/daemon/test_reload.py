"""SIGHUP: a playing table reads its configuration again, and takes over what cannot influence play."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from controller.journal.history import History
from controller.monitor.client import fetch
from controller.table.record.views import TableView
from tests.controller.config.test_branding import SVG
from tests.fixtures.daemon_process import DaemonProcess, configured, daemon_process
from tests.fixtures.loopback import CLIENT_OPTIONS
from tests.fixtures.waiting import PATIENCE, until

pytestmark = pytest.mark.usefixtures("fork_server")

GAME = 'game = "easy-jack"\n'


@pytest.fixture
def table(tmp_path: Path) -> Iterator[DaemonProcess]:
    with daemon_process(configured(tmp_path)) as process:
        assert process.status().startswith("READY=1")
        process.get("health")
        yield process


def reload(table: DaemonProcess, config: Path, old: str, new: str) -> None:
    """The file is changed, and the daemon gets the signal that `systemctl reload` sends."""
    config.write_text(config.read_text().replace(old, new))
    table.process.send_signal(signal.SIGHUP)


def seen(table: DaemonProcess) -> TableView:
    return fetch("127.0.0.1", table.port, timeout=PATIENCE)


def alert(table: DaemonProcess, text: str) -> bool:
    return any(text in one.text for one in seen(table).alarms)


def test_a_new_target_counts_at_once_and_is_in_the_journal(tmp_path: Path, table: DaemonProcess) -> None:
    reload(table, tmp_path / "table.toml", GAME, f"{GAME}target = 60\n")
    said = "The configuration was read again: table.target = 60 instead of 0"
    until(lambda: alert(table, said))
    assert seen(table).pace.target == 60
    assert table.end()[0] == 0
    assert any(said in row.content.body for row in History(tmp_path / "journal").rows())


def test_the_name_of_the_table_is_refused_with_the_reason(tmp_path: Path, table: DaemonProcess) -> None:
    reload(table, tmp_path / "table.toml", '"Table 7"', '"Table 8"')
    until(lambda: alert(table, "table.name: not allowed to change during play"))
    assert alert(table, ". The floor and the journal know the table by its name. The table plays on")
    assert table.end()[0] == 0


def test_a_key_that_needs_a_start_is_refused_by_name_and_play_goes_on(
    tmp_path: Path, table: DaemonProcess
) -> None:
    reload(table, tmp_path / "table.toml", GAME, f"{GAME}target = 60\nseats = 5\n")
    until(lambda: alert(table, "The configuration was not taken over: table.seats: not allowed to change"))
    assert (seen(table).pace.target, len(seen(table).seats)) == (0, 7)
    status, logged = table.end()
    assert status == 0
    assert "configuration not taken over" in [json.loads(line)["event"] for line in logged]


@pytest.mark.parametrize(("old", "new"), [(GAME, 'game = "chess"\n'), ("[table]", "[table"), (GAME, "")])
def test_a_broken_file_never_stops_a_table(tmp_path: Path, table: DaemonProcess, old: str, new: str) -> None:
    reload(table, tmp_path / "table.toml", old, new)
    until(lambda: alert(table, "The configuration was not taken over: "))
    reload(table, tmp_path / "table.toml", "", "")
    assert table.get("health")[0] == 200
    assert table.end()[0] == 0


def test_a_file_that_is_gone_never_stops_a_table(tmp_path: Path, table: DaemonProcess) -> None:
    (tmp_path / "table.toml").unlink()
    table.process.send_signal(signal.SIGHUP)
    until(lambda: alert(table, "table.toml cannot be read: No such file or directory"))
    assert table.end()[0] == 0


@contextmanager
def logging(command: str, config: Path, terminal: int) -> Iterator[subprocess.Popen[str]]:
    """A service with this as its standard input, whose log the test reads; killed if it still runs."""
    words = (sys.executable, "-m", "controller", command, "--config", str(config))
    with subprocess.Popen(words, stdin=terminal, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def until_logged(process: subprocess.Popen[str], event: str) -> dict[str, str]:
    """The next line of its log about this event."""
    assert process.stderr
    lines = map(json.loads, process.stderr)
    return next(line for line in lines if line["event"] == event)


def test_the_web_server_takes_over_new_shifts(tmp_path: Path) -> None:
    config = configured(tmp_path)
    with logging("web", config, subprocess.DEVNULL) as process:
        until_logged(process, "page")
        config.write_text(config.read_text() + '[reports]\nshifts = ["06:00", "18:00"]\n')
        process.send_signal(signal.SIGHUP)
        line = until_logged(process, "configuration read again")
        assert line["changes"].startswith('reports.shifts = ["06:00", "18:00"] instead of ')
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_an_open_page_follows_the_house_over_the_same_connection(tmp_path: Path) -> None:
    config = configured(tmp_path)
    picture = tmp_path / "grand.svg"
    picture.write_text(SVG.format("<path/>"))
    with (
        logging("run", config, subprocess.DEVNULL) as daemon,
        logging("web", config, subprocess.DEVNULL) as process,
        httpx.Client(base_url=until_logged(process, "page")["address"], **CLIENT_OPTIONS) as browser,
    ):
        until_logged(daemon, "ready")
        until(lambda: browser.get("/health").status_code == 200)
        with browser.stream("GET", "/events") as response:
            lines = response.iter_lines()
            until_line(lines, "event: beat")
            house = 'house = "Grand"\nlogo = "grand.svg"\nfelt = "#7a1020"\n'
            config.write_text(config.read_text().replace("[web]\n", f"[web]\n{house}"))
            process.send_signal(signal.SIGHUP)
            until_line(lines, "event: house")
            first = browser.get(next(lines).removeprefix("data: ")).text
            assert "--felt: #7a1020;" in first
            assert '--house-content: "" / "Grand";' in first

            picture.write_text(SVG.format("<circle/>"))
            process.send_signal(signal.SIGHUP)
            until_line(lines, "event: house")
            assert browser.get(next(lines).removeprefix("data: ")).text != first


def until_line(lines: Iterator[str], wanted: str) -> None:
    assert wanted in lines, "the stream ended before"


def test_a_daemon_ends_with_the_terminal_that_it_was_started_in(tmp_path: Path) -> None:
    here, there = pty.openpty()
    try:
        with logging("run", configured(tmp_path), there) as process:
            until_logged(process, "ready")
            process.send_signal(signal.SIGHUP)
            assert process.wait(PATIENCE) == 0
    finally:
        os.close(here)
        os.close(there)
