"""`tableside table web` as a process: a page that waits for its port, a table that comes and goes, and a core
that knows nothing of pages."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from controller.config import read
from controller.journal.history import History
from controller.monitor.client import fetch_status
from controller.socket.blocking import BlockingClient
from controller.socket.listening import socket_place
from tests.fixtures.daemon_process import configured, notified
from tests.fixtures.hired import TYPED, hire
from tests.fixtures.loopback import CLIENT_OPTIONS
from tests.fixtures.processes import open_files
from tests.fixtures.waiting import PATIENCE, until
from tests.system.command import tableside_here

pytestmark = pytest.mark.usefixtures("fork_server")

WORDS = ("--round", "1", "--who", "Ann", "--why", "seen")
WEB_LIBRARIES = ("fastapi", "starlette", "uvicorn", "jinja2", "prometheus_client", "ssl", "anyio")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    hire(tmp_path)
    return configured(tmp_path)


def page(config: Path) -> str:
    return f"http://127.0.0.1:{read(config).web.port}/"


def get(url: str) -> httpx.Response:
    return httpx.get(url, **CLIENT_OPTIONS)


def test_a_page_whose_port_is_taken_comes_when_it_is_free(config: Path) -> None:
    port = read(config).web.port
    with (
        socket.create_server(("127.0.0.1", port)) as taken,
        notified(config, "run") as (daemon, ready),
        notified(config, "web") as (web, say),
    ):
        assert ready() == "READY=1\nSTATUS=The table is ready"
        assert say() == "READY=1\nSTATUS=No page yet"
        refused = f"No page can be served at 127.0.0.1 port {port}: Address already in use"
        assert say().startswith(f"STATUS={refused}")
        done = tableside_here("supervise", "resume", *WORDS, "--config", str(config), typed=TYPED)
        assert done.returncode == 0, "the table plays without its page"
        until(lambda: noticed(config))
        taken.close()
        assert say() == f"STATUS=Page at http://127.0.0.1:{port}/"
        until(lambda: len(noticed(config)) == 2)
        until(lambda: refused not in str(get(f"{page(config)}api/v1/table").json()["alerts"]))
        for process in (web, daemon):
            process.terminate()
            assert process.wait(PATIENCE) == 0
    assert [text.partition(". ")[0] for text in noticed(config)] == [refused, ""]


def noticed(config: Path) -> list[str]:
    """The notices in the journal."""
    rows = [entry.content for entry in History(config.with_name("journal")).rows()]
    return [json.loads(row.body)["text"] for row in rows if row.kind == "noticed"]


def test_the_page_waits_for_an_address_that_is_not_there_yet(config: Path) -> None:
    """192.0.2.1 belongs to nobody (RFC 5737)."""
    port = f"port = {read(config).web.port}"
    config.write_text(config.read_text().replace(port, 'host = "192.0.2.1"\nport = 8080\ntls = true'))
    tableside_here("certificate", "--make", "--config", str(config))
    with notified(config, "web") as (web, say):
        assert say().startswith("READY=1\n")
        assert say() == (
            "STATUS=No page can be reached at 192.0.2.1 port 8080: this computer has no such address yet"
        )
        web.terminate()
        assert web.wait(PATIENCE) == 0


def test_the_page_says_that_the_daemon_does_not_run_until_it_does(config: Path) -> None:
    with notified(config, "web") as (_, say):
        assert say() == f"READY=1\nSTATUS=Page at {page(config)}"
        absent = get(page(config))
        assert absent.status_code == 503
        assert "The table&#39;s daemon does not run" in absent.text
        assert get(f"{page(config)}health").json()["status"] == "absent"
        assert get(f"{page(config)}metrics").status_code == 503
        with notified(config, "run") as (daemon, ready):
            ready()
            until(lambda: fetch_status("127.0.0.1", read(config).web.port) == "suspended")
            assert get(page(config)).status_code == 200
            metrics = get(f"{page(config)}metrics").text
            assert "\nprocess_resident_memory_bytes " in metrics
            assert "\ntableside_web_process_resident_memory_bytes " in metrics
            daemon.kill()
        until(lambda: fetch_status("127.0.0.1", read(config).web.port) == "absent")


def test_a_certificate_that_is_not_there_ends_the_web_server_and_not_the_table(config: Path) -> None:
    config.write_text(config.read_text().replace("[web]\n", "[web]\ntls = true\n"))
    with notified(config, "run") as (_, ready):
        assert ready() == "READY=1\nSTATUS=The table is ready"
        with notified(config, "web") as (web, _):
            _, logged = web.communicate(timeout=PATIENCE)
            assert web.returncode == 2
    assert "tableside table certificate --make makes both" in logged


def test_a_table_that_played_has_loaded_no_web_library(config: Path) -> None:
    address = config.with_name("loaded.notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(address))
        listener.settimeout(PATIENCE)
        command = [sys.executable, "-m", "tests.controller.daemon.loaded", str(config)]
        environment = {**os.environ, "NOTIFY_SOCKET": str(address)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as core:
            try:
                assert listener.recv(4096).startswith(b"READY=1")
                path = socket_place(read(config)).path
                until(path.exists)
                with BlockingClient(path, "web") as client:
                    assert client.call("health")["status"] == "suspended"
                    assert "tableside_suspended 1" in client.call("metrics")["text"]
            finally:
                core.terminate()
            loaded = core.communicate(timeout=PATIENCE)[0].split()
    assert "controller.socket.server" in loaded
    assert [name for name in loaded if name.partition(".")[0] in WEB_LIBRARIES] == []
    assert [name for name in loaded if name.startswith("controller.monitor")] == []


def test_the_core_opens_no_socket_of_a_network(config: Path) -> None:
    with notified(config, "run") as (daemon, ready):
        ready()
        inodes = {link[8:-1] for link in open_files(daemon.pid) if link.startswith("socket:[")}
    assert inodes, "the table socket is one"
    for kind in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6"):
        table = Path(f"/proc/net/{kind}")
        lines = table.read_text().splitlines()[1:] if table.exists() else []
        assert not inodes & {line.split()[9] for line in lines}, kind
