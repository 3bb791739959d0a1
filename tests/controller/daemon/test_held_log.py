"""A daemon names the program that keeps its journal's log from being emptied, until that program ends."""

import json
import multiprocessing
import os
import time
from pathlib import Path

import pytest

from controller.config import read
from controller.daemon.daemon import open_journal
from controller.journal.chain import RowContent
from tests.controller.journal.test_log_readers import reading
from tests.fixtures.daemon_process import DaemonProcess, configured, daemon_process
from tests.fixtures.waiting import until

pytestmark = pytest.mark.usefixtures("fork_server")
ROWS = [
    RowContent(1_700_000_000.0 + number, "alert", json.dumps({"text": "x" * 60_000}))
    for number in range(1200)
]
"""72 MB, which a daemon that was killed left in the log."""


def test_the_reader_of_a_long_log_is_an_alert_while_it_reads(tmp_path: Path) -> None:
    config = configured(tmp_path)
    with open_journal(read(config)) as journal:
        journal.append(ROWS[:1])
    with reading(tmp_path / "journal") as reader:
        killed = multiprocessing.get_context("fork").Process(target=append_and_die, args=(config,))
        killed.start()
        killed.join()
        with daemon_process(config) as running:
            running.status()
            until(lambda: f"process {reader.pid} (" in held(running))
            reader.kill()
            reader.wait()
            until(lambda: not held(running))
            assert running.end()[0] == 0


def append_and_die(config: Path) -> None:
    open_journal(read(config)).append(ROWS)
    os._exit(0)


def held(running: DaemonProcess) -> str:
    """The alert about the log, which lasts from one check to the next: ten seconds."""
    time.sleep(0.25)
    alerts = json.loads(running.get("api/v1/table")[1])["alerts"]
    return next((str(text) for text in alerts if "The log of the journal grows" in text), "")
