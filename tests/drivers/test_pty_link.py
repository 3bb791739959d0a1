"""A link to a pseudo-terminal is a port only while the process that offers it runs."""

import asyncio
import os
import select
import signal
import subprocess
import sys
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from drivers.errors import Absent
from drivers.ports.opening import open_port
from drivers.ports.pty_link import SUFFIX, PtyLink, check
from tests.conformance.firmware import programs
from tests.fixtures.waiting import PATIENCE, until


@contextmanager
def terminal() -> Iterator[tuple[int, str]]:
    """A terminal: the end at which everything arrives that is written to it, and its path."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    try:
        yield ours, os.ttyname(theirs)
    finally:
        os.close(ours)
        os.close(theirs)


def silent(ours: int) -> bool:
    return not select.select([ours], [], [], 0)[0]


def in_python() -> list[str]:
    return [sys.executable, "-m", "drivers.sim", "shoe"]


def in_c() -> list[str]:
    return [str(programs() / "tsl-sample"), "--class", "shoe"]


@contextmanager
def simulator(
    folder: Path, program: Callable[[], list[str]] = in_python
) -> Iterator[subprocess.Popen[bytes]]:
    """A simulated shoe that offers the port "port" in this folder."""
    words = ("--link", "port", "--control", "control", "--memory", "memory")
    with subprocess.Popen([*program(), *words], cwd=folder) as device:
        try:
            until((folder / "control").exists)
            yield device
        finally:
            device.kill()


def refused(port: Path) -> str:
    with pytest.raises(Absent) as why:
        asyncio.run(open_port(str(port)))
    return str(why.value)


@pytest.mark.parametrize("program", [in_python, in_c])
def test_a_stale_link_to_a_terminal_is_not_opened(tmp_path: Path, program: Callable[[], list[str]]) -> None:
    port = tmp_path / "port"
    with simulator(tmp_path, program) as device:
        check(str(port))
        device.send_signal(signal.SIGKILL)
        assert device.wait(PATIENCE)
    with terminal() as (ours, path):
        port.unlink()
        port.symlink_to(path)  # the kernel has reused the number
        expected = f"port {port} cannot be opened: the simulator at {port} does not run"
        for record in ("as it was left", "of this path", "missing"):
            if record == "of this path":
                port.with_name("port" + SUFFIX).write_text(f"{path}\n")
            if record == "missing":
                port.with_name("port" + SUFFIX).unlink()
            assert refused(port).startswith(expected)
        assert silent(ours)


@pytest.mark.parametrize("program", [in_python, in_c])
def test_a_simulator_that_ends_takes_its_names_away(tmp_path: Path, program: Callable[[], list[str]]) -> None:
    with simulator(tmp_path, program) as device:
        assert (tmp_path / ("port" + SUFFIX)).exists()
        device.send_signal(signal.SIGTERM)
        assert device.wait(PATIENCE) == 0
    assert not {"port", "port" + SUFFIX} & {path.name for path in tmp_path.iterdir()}


def test_a_simulator_that_has_begun_anew_does_not_vouch_for_its_old_number(tmp_path: Path) -> None:
    port = tmp_path / "port"
    with terminal() as (ours, path), simulator(tmp_path):
        port.unlink()
        port.symlink_to(path)
        assert "does not run" in refused(port)
        assert silent(ours)


async def test_a_link_to_the_link_of_a_simulator_is_a_port(tmp_path: Path) -> None:
    (tmp_path / "other").symlink_to("port")
    with simulator(tmp_path):
        port = await open_port(str(tmp_path / "other"))
        await port.close()


@pytest.mark.parametrize("name", ["missing", "file", "loop", "socket://127.0.0.1:1", "/dev/null"])
def test_other_names_are_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    check(name if ":" in name else str(tmp_path / name))


def test_a_terminal_that_is_named_itself_is_left_alone() -> None:
    with terminal() as (_, path):
        check(path)


def test_the_name_of_another_process_is_not_taken_away(tmp_path: Path) -> None:
    first, second = PtyLink(tmp_path / "port"), PtyLink(tmp_path / "port")
    with terminal() as (_, old), terminal() as (_, new):
        first.point(old)
        second.point(new)
        first.remove()
        check(str(tmp_path / "port"))
        second.remove()
        assert list(tmp_path.iterdir()) == []
