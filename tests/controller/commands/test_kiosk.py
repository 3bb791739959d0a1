"""The kiosk waits for its page, trusts one key, and keeps nothing."""

import json
import shlex
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.access.certificate import make, read_certificate
from controller.commands.app import app
from controller.commands.handlers.kiosk import command_line, console_url, is_up, wait_for_page, write_policy
from controller.config import WebSection
from controller.demo.reservations import free_port
from controller.monitor.server.tls import server_context

TABLE = """
[table]
name = "Table 1"
game = "easy-jack"
[journal]
path = "table.journal"
[web]
tls = {tls}
[devices.shoe]
port = "/dev/tableside/SHOE-1"
serial = "SHOE-1"
[devices.sensors]
port = "/dev/tableside/SENSORS-1"
serial = "SENSORS-1"
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The configuration of a table with its own certificate."""
    path = tmp_path / "table.toml"
    path.write_text(TABLE.format(tls="true"))
    made = CliRunner().invoke(app, ["certificate", "--make", "--config", str(path)])
    assert made.exit_code == 0, made.output
    return path


class Answers(BaseHTTPRequestHandler):
    """Answers that it is not ready, which is an answer."""

    def do_GET(self) -> None:
        self.send_error(503)

    def log_message(self, *_: object) -> None:
        """Keeps standard error empty."""


@contextmanager
def page(certificate: Path | None = None) -> Iterator[tuple[HTTPServer, threading.Thread]]:
    """A server that will answer on loopback as soon as the thread is started."""
    server = HTTPServer(("127.0.0.1", 0), Answers)
    if certificate:
        tls = server_context(certificate, certificate.with_name("web.key"))
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    try:
        yield server, thread
    finally:
        if thread.is_alive():
            server.shutdown()
            thread.join()
        server.server_close()


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        (WebSection(), "http://127.0.0.1:8080/console"),
        (WebSection(host=str(IPv4Address(0)), tls=True), "https://127.0.0.1:8080/console"),
        (WebSection(host="::", port=443, tls=True), "https://[::1]:443/console"),
        (WebSection(host="table7.pit.example", tls=True), "https://table7.pit.example:8080/console"),
        (WebSection(kiosk_port=8081), "http://127.0.0.1:8081/console"),
        (WebSection(host="10.7.0.12", tls=True, kiosk_port=8081), "https://127.0.0.1:8081/console"),
    ],
)
def test_the_kiosk_connects_to_its_own_machine(section: WebSection, expected: str) -> None:
    assert console_url(section) == expected


def test_the_kiosk_waits_until_the_page_answers() -> None:
    asked: list[float] = []

    def pause(seconds: float) -> None:
        asked.append(seconds)
        if len(asked) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        wait_for_page(f"http://127.0.0.1:{free_port()}/console", "", pause)
    assert len(asked) == 3


@pytest.mark.parametrize("tls", [False, True])
def test_the_kiosk_accepts_any_answer_of_the_page(tls: bool, table: Path) -> None:
    certificate = table.parent / "keys" / "web.crt" if tls else None
    with page(certificate) as (server, thread):
        thread.start()
        scheme = "https" if tls else "http"
        spki = read_certificate(certificate).spki if certificate else ""
        wait_for_page(f"{scheme}://127.0.0.1:{server.server_port}/console", spki)


def test_the_kiosk_shows_a_page_whose_certificate_has_ended_or_has_another_name(tmp_path: Path) -> None:
    """The browser trusts the key, so the wait must not be stricter."""
    certificate, key = tmp_path / "web.crt", tmp_path / "web.key"
    old = make("Table 1", ["table7.pit.example"], datetime(2020, 1, 1, tzinfo=UTC), 30)
    certificate.write_bytes(old.certificate)
    key.write_bytes(old.key)
    with page(certificate) as (server, thread):
        thread.start()
        assert is_up(f"https://127.0.0.1:{server.server_port}/console", read_certificate(certificate).spki)


def test_the_kiosk_does_not_show_the_page_of_another_key(table: Path) -> None:
    certificate = table.parent / "keys" / "web.crt"
    trusted = read_certificate(certificate).spki
    other = CliRunner().invoke(app, ["certificate", "--make", "--replace", "--config", str(table)])
    assert other.exit_code == 0, other.output
    with page(certificate) as (server, thread):
        thread.start()
        assert not is_up(f"https://127.0.0.1:{server.server_port}/console", trusted)


def test_the_kiosk_trusts_the_key_of_its_table_alone(table: Path) -> None:
    printed = CliRunner().invoke(app, ["kiosk", "--config", str(table), "--print"])
    words = shlex.split(printed.stdout)
    trusted = read_certificate(table.parent / "keys" / "web.crt").spki
    assert f"--ignore-certificate-errors-spki-list={trusted}" in words
    assert words[-1] == "https://127.0.0.1:8080/console"


def test_the_kiosk_trusts_no_key_without_tls(table: Path) -> None:
    table.write_text(TABLE.format(tls="false"))
    printed = CliRunner().invoke(app, ["kiosk", "--config", str(table), "--print"])
    assert "spki" not in printed.stdout


def test_a_certificate_that_is_missing_is_named(table: Path) -> None:
    (table.parent / "keys" / "web.crt").unlink()
    done = CliRunner().invoke(app, ["kiosk", "--config", str(table), "--print"])
    assert (done.exit_code, "tableside table certificate --make" in done.stderr) == (1, True)


def test_what_it_writes_is_in_the_services_own_folder(table: Path) -> None:
    done = CliRunner().invoke(
        app,
        ["kiosk", "--config", str(table), "--print"],
        env={"RUNTIME_DIRECTORY": f"{table.parent}:{table.parent}/policies"},
    )
    assert f"--user-data-dir={table.parent}/profile" in shlex.split(done.stdout)


def test_whoever_has_a_keyboard_comes_to_the_tables_pages_alone(tmp_path: Path) -> None:
    write_policy("https://127.0.0.1:8080/console", tmp_path)
    answer = json.loads((tmp_path / "policies" / "tableside.json").read_text())
    assert answer["URLAllowlist"] == ["https://127.0.0.1:8080"]
    assert answer["URLBlocklist"] == ["*", "chrome://*"]
    assert answer["DeveloperToolsAvailability"] == 2


def test_a_touch_reaches_the_page_through_the_x_server() -> None:
    """The compositor of Debian 12 never ends the frame of a touch, for which a browser on Wayland waits."""
    assert "--ozone-platform=x11" in command_line("http://127.0.0.1:8080/console", Path("/run/profile"), "")


@pytest.mark.parametrize(
    "flag", ["--kiosk", "--incognito", "--disable-pinch", "--disable-component-update", "--noerrdialogs"]
)
def test_nobody_is_asked_anything_and_nothing_is_kept(flag: str) -> None:
    assert flag in command_line("http://127.0.0.1:8080/console", Path("/run/profile"), "")
