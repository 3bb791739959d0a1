"""`tableside demo` as people start it: what it prints, what its books say, what it leaves behind."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import httpx
import pytest

from controller.demo.audit import DemoAudit, read_audit
from controller.demo.reservations import free_port
from controller.demo.run import DemoResult, run_demo
from controller.demo.settings import DemoSettings, FrameFaults
from controller.demo.table import KINDS
from controller.games import GAMES
from controller.monitor.client import TableAbsentError, fetch
from tests.fixtures.loopback import CLIENT_OPTIONS
from tests.fixtures.process_table import ForkedStage
from tests.fixtures.processes import children
from tests.fixtures.waiting import PATIENCE, until
from tests.system.books import faults, unexpected_warnings

SEED = 7
COMMAND = (sys.executable, "-m", "controller", "demo", "--speed", "max", "--seed", str(SEED))
ROUNDS = 40
SHORT = 8
LIMIT = 300.0
"""Seconds for all the rounds, on a busy machine."""
BAD_CABLES = ("--drop", "0.02", "--flip", "0.01")
WORSE_CABLES = FrameFaults(drop=0.04, flip=0.03)
PAIRS = [*zip(*[iter(GAMES)] * 2, strict=True)]
"""Two games at a time."""
DAEMON_AND_DEVICES = 2 + len(KINDS)
"""The web server is a process too."""
AGAIN = 0.01


def start(folder: Path, *options: str) -> subprocess.Popen[str]:
    words = (*COMMAND, "--rounds", str(ROUNDS), "--json", "--port", str(free_port()), "--folder", str(folder))
    return subprocess.Popen([*words, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end(demo: subprocess.Popen[str], folder: Path) -> tuple[dict[str, Any], DemoAudit]:
    """The figures of a demonstration and its books."""
    printed, output = demo.communicate(timeout=LIMIT)
    assert demo.returncode == 0, output
    assert re.fullmatch(r"The table's page: http://127\.0\.0\.1:\d+/\n", output)
    return json.loads(printed), read_audit(folder / "journal.sqlite", folder / "shoe.cards")


def test_neither_lost_nor_damaged_frames_change_a_round(tmp_path: Path) -> None:
    with start(tmp_path / "good") as one, start(tmp_path / "bad", *BAD_CABLES) as other:
        good, books = end(one, tmp_path / "good")
        bad, same = end(other, tmp_path / "bad")
    assert [*faults(books), *faults(same, books)] == []
    for figures in (good, bad):
        assert figures["rounds"] == books.rounds == ROUNDS
        assert figures["cards"] == len(books.shoe_cards) > 3 * ROUNDS
        assert figures["wagers"] == books.wagers > ROUNDS
        assert figures["journal_equals_shoe"] is True
        latency = figures["card_to_lamp_ms"]
        assert 0 < latency["p50"] <= latency["p99"]
        assert latency["samples"] > ROUNDS / 4
    assert bad["retransmissions"] > 20
    assert bad["corrupted"] > 5
    assert good["corrupted"] == 0


async def played(folder: Path, game: str) -> DemoResult:
    """The results of a demonstration of a game."""
    async with ForkedStage(folder, DemoSettings(game=game, seed=SEED, faults=WORSE_CABLES)) as stage:
        return await run_demo(stage, SHORT)


@pytest.mark.parametrize("games", PAIRS)
async def test_every_game_is_played_on_bad_cables_and_settled_as_the_crew_wrote_it_down(
    tmp_path: Path, games: tuple[str, ...]
) -> None:
    results = await asyncio.gather(*(played(tmp_path / game, game) for game in games))
    for game, result in zip(games, results, strict=True):
        books = read_audit(tmp_path / game / "journal.sqlite", tmp_path / game / "shoe.cards")
        assert (list(faults(books)), unexpected_warnings(books)) == ([], ())
        assert (result.rounds, result.disputes) == (SHORT, ())
        assert min(result.retransmissions, result.corrupted) > 0


@contextmanager
def demonstration(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    """A demonstration without an end, and its output; `folder` is where it makes its own."""
    words = (*COMMAND, "--port", str(free_port()), *options)
    environment = {**os.environ, "TMPDIR": str(folder), "COLUMNS": "120"}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as demo:
        assert demo.stdout is not None
        try:
            yield demo, demo.stdout
        finally:
            demo.kill()


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def starting(demo: subprocess.Popen[str], _port: int) -> bool:
    return bool(children(demo.pid))


def ready(demo: subprocess.Popen[str], port: int, rounds: int = 0) -> bool:
    """Whether the table of the demonstration answers, with all its processes, after so many rounds."""
    try:
        played = len(fetch("127.0.0.1", port).rounds)
    except TableAbsentError:
        return False
    return played >= rounds and len(children(demo.pid)) == DAEMON_AND_DEVICES


def playing(demo: subprocess.Popen[str], port: int) -> bool:
    return ready(demo, port, rounds=1)


def press(demo: subprocess.Popen[str], number: signal.Signals) -> None:
    demo.send_signal(number)
    assert demo.wait(PATIENCE) == 0


def hammer(demo: subprocess.Popen[str], number: signal.Signals) -> None:
    """Again and again, even while the interpreter itself is ending."""
    while demo.poll() is None:
        demo.send_signal(number)
        time.sleep(AGAIN)


@pytest.mark.parametrize(
    ("when", "how", "number"),
    [
        (starting, press, signal.SIGINT),
        (playing, hammer, signal.SIGINT),
        (playing, press, signal.SIGTERM),
        (playing, press, signal.SIGHUP),
    ],
)
def test_an_end_leaves_nothing_behind(
    tmp_path: Path,
    when: Callable[[subprocess.Popen[str], int], bool],
    how: Callable[[subprocess.Popen[str], signal.Signals], None],
    number: signal.Signals,
) -> None:
    (folder := tmp_path / "d").mkdir()
    with stranger(tmp_path) as other, demonstration(folder) as (demo, printed):
        address = printed.readline()
        assert address.startswith("The table's page: http://127.0.0.1:")
        until(lambda: when(demo, int(address.rstrip("/\n").rpartition(":")[2])))
        made = children(demo.pid)
        assert list(folder.iterdir()) != []
        how(demo, number)
        assert [pid for pid in made if alive(pid)] == []
        assert list(folder.iterdir()) == []
        assert other.poll() is None


def test_a_table_played_by_hand_prints_both_pages_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with demonstration(tmp_path, "--dealer", "me", "--players", "me") as (demo, printed):
        page, simulator = printed.readline(), printed.readline()
        assert page.startswith("The table's page: http://127.0.0.1:")
        assert simulator.startswith("The table to touch: http://127.0.0.1:")
        assert simulator.endswith("/simulator\n")
        url = simulator.split()[-1]
        until(lambda: answers(url))
        text = httpx.get(url, **CLIENT_OPTIONS).text
        assert '<script src="/static/simulator/hands.js" defer></script>' in text
        assert answers(page.split()[-1])
        made = children(demo.pid)
        assert len(made) == DAEMON_AND_DEVICES
        press(demo, signal.SIGINT)
        assert [pid for pid in made if alive(pid)] == []
        assert not answers(url)
        assert list(tmp_path.iterdir()) == []


def answers(url: str) -> bool:
    try:
        return httpx.get(url, **CLIENT_OPTIONS).status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.parametrize("service", [b"run", b"web"])
def test_a_service_that_dies_takes_the_demonstration_with_it(tmp_path: Path, service: bytes) -> None:
    with demonstration(tmp_path) as (demo, printed):
        port = int(printed.readline().rstrip("/\n").rpartition(":")[2])
        until(lambda: playing(demo, port))
        made = children(demo.pid)
        words = b"controller\0" + service
        process = next(pid for pid in made if words in Path(f"/proc/{pid}/cmdline").read_bytes())
        os.kill(process, signal.SIGKILL)
        assert demo.wait(PATIENCE) == 1
        assert [pid for pid in made if alive(pid)] == []
        assert list(tmp_path.iterdir()) == []


@contextmanager
def stranger(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A simulated device that is not the demonstration's."""
    words = ("--link", str(folder / "port"), "--control", str(folder / "control"))
    with subprocess.Popen([sys.executable, "-m", "drivers.sim", "shoe", *words]) as device:
        try:
            yield device
        finally:
            device.kill()
