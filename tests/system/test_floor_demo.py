"""`tableside floor demo` as people start it: what it prints, what it compares, what it leaves behind."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from controller.calendar import Calendar
from controller.demo.reservations import free_port
from controller.floor.day_file import JournalName
from controller.floor.reconciliation.comparison import DayReconciliation, stored_reconciliation
from controller.floor.store import FloorArchive
from controller.journal.history import History
from tests.fixtures.loopback import CLIENT_OPTIONS
from tests.fixtures.processes import children
from tests.fixtures.waiting import PATIENCE, until
from tests.system.test_demo import alive

COMMAND = (sys.executable, "-m", "controller", "floor", "demo", "--speed", "max")
TABLES = 2
ROUNDS = 3
HIT = ("--seed", "4")
"""A player wins a share of the linked progressive."""
SERVER_FLOOR_PROGRESSIVE = 3
DEVICES_DAEMON_UPLINK = 3
LIMIT = 300.0
"""Seconds for all of it, on a busy machine."""


def reconciliations(stores: Path) -> Iterator[DayReconciliation]:
    """What the floor's report compares, for each gaming day."""
    archive = FloorArchive(stores)
    for day in archive.days():
        yield stored_reconciliation(archive, stores, Calendar().day(day))


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a short name, because sockets lie in it."""
    return tmp_path_factory.mktemp("d")


def test_every_row_of_every_table_is_stored_once(folder: Path) -> None:
    words = (*COMMAND, "--tables", str(TABLES), "--rounds", str(ROUNDS), "--json")
    ran = subprocess.run(
        [*words, *HIT, "--folder", str(folder), "--port", str(free_port())],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.fullmatch(r"The floor's page: http://127\.0\.0\.1:\d+/floor\n", ran.stderr)
    figures = json.loads(ran.stdout)
    lag = figures.pop("lag_ms")
    assert 0 < lag["p50"] <= lag["p99"]
    compared = list(reconciliations(folder / "stores"))
    assert [one.text for each in compared for one in each.differences] == []
    assert any(one.rows and one.rows.wagers for each in compared for one in each.meters)
    assert any(each.claims for each in compared)
    rows = sum(head.row for head in FloorArchive(folder / "stores").heads().values())
    assert figures == {
        "tables": TABLES,
        "rounds": TABLES * ROUNDS,
        "rows_published": rows,
        "rows_stored": rows,
        "lost": 0,
        "duplicated": 0,
        "forks": 0,
        "chain_ok": True,
        "jackpot": {"claims": 1, "balanced": True, "order_ok": True},
    }
    assert claims_of(folder / "table-01") == ["paid"]
    check_stored(folder)


def page_at(address: str) -> str:
    """Empty while nothing answers there."""
    try:
        return str(httpx.get(address, **CLIENT_OPTIONS).text)
    except httpx.TransportError:
        return ""


def claims_of(table: Path) -> list[str]:
    """The state of each claim of the table in the end."""
    rows = (row.content for row in History(table / "journal.sqlite").rows() if row.content.kind == "claim")
    found = (json.loads(row.body)["claim"] for row in rows)
    return list({claim["number"]: claim["state"] for claim in found}.values())


def check_stored(folder: Path) -> None:
    """The store has the last round of each table, with the hash that the table has."""
    heads: dict[JournalName, int] = {}
    for name, head in FloorArchive(folder / "stores").heads().items():
        history = History(folder / name.table / "journal.sqlite")
        assert history.at(head.row).hash == head.hash
        heads[name] = head.row
        ends = [row.row for row in history.rows() if row.content.kind == "round"]
        assert len(ends) == ROUNDS
        assert ends[-1] <= head.row
    assert len(heads) == TABLES


def test_the_page_shows_the_jackpot_and_ctrl_c_leaves_neither_a_process_nor_a_file(folder: Path) -> None:
    words = (*COMMAND, "--tables", "1", "--port", str(free_port()))
    environment = {**os.environ, "TMPDIR": str(folder)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as demo:
        try:
            assert demo.stdout
            said, _, address = demo.stdout.readline().strip().partition(": ")
            assert said == "The floor's page"
            until(lambda: len(children(demo.pid)) == SERVER_FLOOR_PROGRESSIVE + DEVICES_DAEMON_UPLINK)
            started = children(demo.pid)
            until(lambda: re.search(r"<b>sevens</b></a> <b class=\"money\">\$[1-9]", page_at(address)))
            demo.send_signal(signal.SIGINT)
            assert demo.wait(PATIENCE) == 0
        finally:
            demo.kill()
    assert [pid for pid in started if alive(pid)] == []
    assert list(folder.iterdir()) == []
