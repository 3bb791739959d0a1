"""Work in a process of its own: what it returns arrives, how it fails is known, and what it loads stays
there."""

import os
import subprocess
import sys

import pytest

from controller.process.child_process import ChildFailed, in_child
from controller.process.faults import FAILED, USAGE


def fails(status: int) -> bytes:
    raise SystemExit(status)


def is_killed() -> bytes:
    os.kill(os.getpid(), 9)
    return b""


def goes_wrong() -> bytes:
    raise KeyError("a fault of ours")


def test_what_the_work_returns_arrives_whole() -> None:
    content = os.urandom(1 << 20)
    assert in_child(lambda: content) == content


def test_the_work_runs_in_another_process_that_has_ended() -> None:
    pid = int(in_child(lambda: str(os.getpid()).encode()))
    assert pid != os.getpid()
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


@pytest.mark.parametrize(
    ("work", "status"),
    [
        (lambda: fails(USAGE), USAGE),
        (lambda: fails(FAILED), FAILED),
        (is_killed, FAILED),
        (goes_wrong, FAILED),
    ],
)
def test_a_failure_is_known_by_its_status(work: object, status: int) -> None:
    with pytest.raises(ChildFailed) as failed:
        in_child(work)  # type: ignore[arg-type]
    assert failed.value.status == status


def test_a_fault_of_ours_is_on_standard_error_and_the_parent_prints_nothing_twice() -> None:
    program = (
        "from controller.process.child_process import in_child\n"
        "import sys\n"
        "sys.stdout.write('once ')\n"
        "try:\n    in_child(lambda: {}['absent'])\n"
        "except Exception as error:\n    print(error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "once exit status 1\n"
    assert "KeyError: 'absent'" in ran.stderr
