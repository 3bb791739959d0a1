"""Two demonstrations at once: both play, or the second says at once why it does not."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.demo.reservations import ReservationError, free_port, reserved_folder, reserved_port
from tests.fixtures.processes import children
from tests.fixtures.waiting import PATIENCE, until
from tests.system.test_demo import LIMIT, alive, ready

COMMAND = (sys.executable, "-m", "controller", "demo", "--speed", "max", "--json")
ADDRESS = re.compile(r"The table's page: http://127\.0\.0\.1:(\d+)/\n")
SLOWLY = ("--speed", "human")
"""For a demonstration that need not come far, and leaves the processor to others."""
ROUNDS = "4"


@contextmanager
def demonstration(*options: str) -> Iterator[subprocess.Popen[str]]:
    said = subprocess.PIPE
    with subprocess.Popen([*COMMAND, *options], stdout=said, stderr=said, text=True) as demo:
        try:
            yield demo
        finally:
            demo.kill()


def port(demo: subprocess.Popen[str]) -> int:
    """The port of the page, which it prints first."""
    assert demo.stderr is not None
    line = demo.stderr.readline()
    found = ADDRESS.fullmatch(line)
    assert found, line
    return int(found[1])


def test_two_demonstrations_play_with_a_page_each() -> None:
    with demonstration("--rounds", ROUNDS) as one, demonstration("--rounds", ROUNDS) as other:
        assert port(one) != port(other)
        for demo in (one, other):
            figures, said = demo.communicate(timeout=LIMIT)
            assert demo.returncode == 0, said
            assert json.loads(figures)["rounds"] == int(ROUNDS)


def test_the_second_in_a_folder_says_why_it_does_not_play(tmp_path: Path) -> None:
    folder = ("--folder", str(tmp_path))
    with demonstration(*folder, *SLOWLY) as first:
        address = port(first)
        until(lambda: ready(first, address))
        files = {
            path: path.read_bytes() for path in (tmp_path / "table.toml", tmp_path / "keys" / "shoe.key")
        }
        with demonstration(*folder) as second:
            printed, said = second.communicate(timeout=PATIENCE)
        why = f"folder {tmp_path} is in use by another demonstration: end it, or choose another --folder"
        assert (second.returncode, printed, said) == (1, "", f"tableside: {why}\n")
        assert {path: path.read_bytes() for path in files} == files
        until(lambda: ready(first, address))
        first.send_signal(signal.SIGTERM)
        assert first.wait(PATIENCE) == 0
    with demonstration(*folder, "--rounds", "1") as third:
        assert third.wait(LIMIT) == 0


def test_a_killed_demonstration_leaves_no_process_and_holds_its_folder_until_the_last_one_has_ended(
    tmp_path: Path,
) -> None:
    with demonstration("--folder", str(tmp_path), *SLOWLY) as demo:
        address = port(demo)
        until(lambda: ready(demo, address))
        made = children(demo.pid)
        device = min(made)
        os.kill(device, signal.SIGSTOP)
        demo.kill()
        demo.wait()
        with pytest.raises(ReservationError), reserved_folder(tmp_path):
            pass
        os.kill(device, signal.SIGCONT)
        until(lambda: free(tmp_path))
        until(lambda: not any(alive(pid) for pid in made))


def free(folder: Path) -> bool:
    try:
        with reserved_folder(folder):
            return True
    except ReservationError:
        return False


def test_a_port_that_is_wished_for_and_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        with demonstration("--port", str(taken), "--folder", str(tmp_path)) as demo:
            printed, said = demo.communicate(timeout=PATIENCE)
    why = f"port {taken} of 127.0.0.1 is in use: end the program that has it, or choose another --port"
    assert (demo.returncode, printed, said) == (1, "", f"tableside: {why}\n")
    assert list(tmp_path.iterdir()) == []


def test_a_port_is_claimed_before_anybody_listens_on_it() -> None:
    usual = free_port()
    with reserved_port(0, usual) as first:
        assert first == usual
        with reserved_port(0, usual) as second:
            assert second != usual
        with pytest.raises(ReservationError, match=f"port {usual} of 127"), reserved_port(usual, 1):
            pass
    with reserved_port(usual, 1) as again:
        assert again == usual
