"""The guards of conftest catch what they exist for."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import conftest
from tests.conftest import ForbiddenError, descriptors, leaked_since
from tests.fixtures.processes import children
from tests.fixtures.waiting import PATIENCE, until


@pytest.mark.parametrize("port", ["/dev/ttyUSB0", "/dev/ttyACM3", "/dev/bus/usb/001/002"])
def test_real_port_is_refused(port: str) -> None:
    with pytest.raises(ForbiddenError, match="real port"):
        Path(port).read_bytes()


def test_foreign_address_is_refused() -> None:
    with socket.socket() as outside, pytest.raises(ForbiddenError, match=r"192\.0\.2\.1"):
        outside.connect(("192.0.2.1", 9))


def test_a_descriptor_left_open_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "CLOSING", 0.02)
    before = descriptors()
    with socket.socket() as left:
        assert list(leaked_since(before)) == [str(left.fileno())]
    assert not leaked_since(before)


def test_what_a_thread_still_closes_is_no_leak() -> None:
    before = descriptors()
    late = socket.socket()
    closing = threading.Timer(0.05, late.close)
    closing.start()
    assert not leaked_since(before)
    closing.join()


async def test_tests_with_a_loop_have_a_task_guard(request: pytest.FixtureRequest) -> None:
    assert "no_leftover_tasks" in request.fixturenames


def test_tests_without_a_loop_have_no_task_guard(request: pytest.FixtureRequest) -> None:
    assert "no_leftover_tasks" not in request.fixturenames


IN_THE_BACKGROUND = ("sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh")
"""As a script starts it, or nohup."""
CHILD = """
import signal, subprocess, sys
def test() -> None:
    asked = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True)
    assert done.stdout == "True\\n"
"""


def test_what_tests_start_can_be_interrupted_even_in_the_background(tmp_path: Path) -> None:
    (tmp_path / "test_child.py").write_text(CHILD)
    words = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", str(tmp_path)]
    done = subprocess.run([*IN_THE_BACKGROUND, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


PROJECT = Path(__file__).parents[1]
ONE_PART_IS_RED = """
include {project}/Makefile
setup packages guest-image:
	@:
{parts}:
	@echo $@ >> {started}
	@test $@ != {red}
"""


@pytest.mark.parametrize("red", ["style", "test-pages", ""])
def test_a_red_part_keeps_no_other_from_starting(tmp_path: Path, red: str) -> None:
    parts = re.findall(r"^(types|style|test-\w+):", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    started, rules, stamp = tmp_path / "started", tmp_path / "rules.mk", tmp_path / "stamp"
    rules.write_text(
        ONE_PART_IS_RED.format(project=PROJECT, parts=" ".join(parts), started=started, red=red or "none")
    )
    stamp.touch()
    words = ["make", "-f", str(rules), "test", f"MAKE=make -f {rules}", f"STAMP={stamp}"]
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert sorted(started.read_text().split()) == sorted(parts)
    assert bool(done.returncode) is bool(red), done.stderr


SETS_UP = """
include {project}/Makefile
{stamp}:
\t@echo begun >> {begun}
\t@read line < {gate}
\t@touch $@
"""


def test_two_that_set_up_at_once_do_it_once(tmp_path: Path) -> None:
    begun, gate, stamp, rules = (tmp_path / name for name in ("begun", "gate", "stamp", "rules.mk"))
    rules.write_text(SETS_UP.format(project=PROJECT, stamp=stamp, begun=begun, gate=gate))
    os.mkfifo(gate)
    words = [
        "make",
        "-s",
        "-f",
        str(rules),
        "setup",
        f"MAKE=make -s -f {rules} STAMP={stamp}",
        f"STAMP={stamp}",
    ]
    with _started(words) as first:
        until(begun.exists)
        with _started(words) as second:
            until(lambda: _waits_for_a_lock(second.pid) or len(begun.read_text().splitlines()) > 1)
            with gate.open("w") as go:
                go.write("go\n")
            assert (first.wait(PATIENCE), second.wait(PATIENCE)) == (0, 0)
    assert begun.read_text() == "begun\n"


@contextmanager
def _started(words: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A command in the project. It is killed at the end with all that it started, because it would wait at
    the gate forever if the test failed."""
    with subprocess.Popen(words, cwd=PROJECT, start_new_session=True) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def _waits_for_a_lock(pid: int) -> bool:
    """Whether a child of the process waits in the kernel's list of locks."""
    waiting = re.findall(r"^\d+: -> \w+ +\w+ +\w+ +(\d+)", Path("/proc/locks").read_text(), re.MULTILINE)
    return bool(children(pid) & set(map(int, waiting)))


INSTALLS = re.compile(r"apt-get (?:-\S+ )*install\b")
ROOMS = ("controller", "drivers", "systemd", "firmware-protocol", "docs", "benchmarks", "tests/package")


def test_nothing_is_installed_that_debian_only_recommends() -> None:
    files = [PROJECT / "Makefile", PROJECT / "README.md", PROJECT / ".ci" / "run"]
    files += [path for room in ROOMS for end in ("py", "md") for path in (PROJECT / room).rglob(f"*.{end}")]
    lines = [line for path in files for line in path.read_text("utf-8").splitlines() if INSTALLS.search(line)]
    assert len(lines) > 5
    assert [line for line in lines if "--no-install-recommends" not in line] == []
