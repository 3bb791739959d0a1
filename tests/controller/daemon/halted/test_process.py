"""A halted table as a process: it serves its page, opens no port of a device, and exits with a failure."""

import json
import resource
import signal
from pathlib import Path

import pytest

from controller.jackpot import UNITS
from controller.journal.chain import RowContent
from controller.journal.journal import Journal
from controller.socket.blocking import BlockingClient
from controller.socket.listening import default_path
from controller.socket.wire import CallRefused, CoreAway
from tests.fixtures.access_desk import PASSWORD
from tests.fixtures.daemon_process import configured, daemon_process, nothing_sent, silent_port
from tests.fixtures.hired import hire

pytestmark = pytest.mark.usefixtures("fork_server")
ENTRY = {"choice": "entry", "why": "new lamp", "device": "shoe", "licence": "L-7"}
FAILING = ("tests.controller.daemon.halted.failing",)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return configured(tmp_path)


def kept(config: Path) -> Path:
    """A journal in which a jackpot moved."""
    books = {"display": 700 * UNITS, "contributions": 200 * UNITS, "seeds": 500 * UNITS}
    body = {"spot": "buster", "kind": "contribution", "before": 0, "after": 700, "why": "x", "books": books}
    path = config.with_name("journal")
    with Journal(path) as journal:
        journal.append(
            [
                RowContent(100.0, "meter", json.dumps(body)),
                RowContent(1.0, "alert", '{"text": "' + "x" * 9000 + '"}'),
            ]
        )
    return path


def test_a_damaged_journal_opens_no_port_and_stays_to_tell(config: Path) -> None:
    path = kept(config)
    content = bytearray(path.read_bytes())
    content[-3000] ^= 1
    path.write_bytes(content)
    with silent_port(config.with_name("shoe")) as shoe, daemon_process(config, watchdog=0.4) as halted:
        said = halted.status()
        assert said.startswith(f"READY=1\nSTATUS=Halted: journal {path} is damaged: ")
        html = halted.until_halted()
        assert "The journal cannot be trusted" in html
        assert "What to do" in html
        assert '<p class="cents">7</p>' in html
        halted.process.send_signal(signal.SIGHUP)
        status, text = halted.get("health")
        answer = json.loads(text)
        assert (status, answer["status"], answer["meters"][0]["row"]) == (503, "halted", 1)
        assert "tableside_halted 1.0" in halted.get("metrics")[1]
        assert halted.watchdog_fed()
        assert nothing_sent(shoe)
        status, logged = halted.end()
    assert status == 1
    assert logged[-1] == f"tableside: halted: {answer['cause']['why']}"
    critical = [line for line in map(json.loads, logged[:-1]) if line["level"] == "critical"]
    assert [(line["event"], line["why"]) for line in critical] == [
        ("The journal cannot be trusted", answer["cause"]["why"])
    ]
    assert path.read_bytes() == content


def test_invalid_rows_halt_the_table(config: Path) -> None:
    with Journal(config.with_name("journal")) as journal:
        journal.append([RowContent(1.0, "snapshot", '{"rules": {"game": "faro"}}')])
    with silent_port(config.with_name("shoe")) as shoe, daemon_process(config) as halted:
        assert halted.status().startswith("READY=1\nSTATUS=Halted: the journal cannot be replayed: ")
        html = halted.until_halted()
        assert "The journal cannot be trusted" in html
        assert "the journal cannot be replayed: " in html
        assert nothing_sent(shoe)
        assert halted.end()[0] == 1


def test_a_full_disk_halts_the_table(config: Path) -> None:
    hire(config.parent)
    with daemon_process(config) as halted:
        assert halted.status().startswith("READY=1\nSTATUS=The table is ready")
        assert halted.get("health")[0] == 200
        with BlockingClient(default_path(config.with_name("journal")), "cli") as client:
            proof = {"kind": "password", "name": "Ann", "secret": PASSWORD, "address": ""}
            token = client.call("sign_in", proof)["token"]
            resource.prlimit(halted.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
            with pytest.raises((CallRefused, CoreAway)):
                client.call("act", {"token": token, "act": {"decision": ENTRY}, "id": "opened"})
        html = halted.until_halted()
        assert "The journal cannot be written" in html
        assert halted.status().startswith("READY=1\nSTATUS=Halted: journal ")
        status, logged = halted.end()
    assert status == 1
    assert "cannot be written" in logged[-1]
    assert not any("Traceback" in line for line in logged)


def test_our_own_bug_is_told_without_a_card(config: Path) -> None:
    with daemon_process(config, FAILING) as halted:
        assert halted.status().startswith("READY=1\nSTATUS=The table is ready")
        halted.process.send_signal(signal.SIGUSR1)
        config.with_name("shoe").symlink_to("/dev/null")  # another reason why the shoe is missing
        html = halted.until_halted()
        assert "The software failed" in html
        assert "KeyError in stumble, line " in html
        answer = halted.get("api/v1/table")[1]
        status, logged = halted.end()
    assert status == 1
    everything = "\n".join([html, answer, *logged]).replace("Tableside", "")
    assert "Ts" not in everything
    assert any("stumble" in line and '"trace"' in line for line in logged)
