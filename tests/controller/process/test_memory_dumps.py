"""What another process of the same user reads of a process that holds secrets, and what the kernel dumps of
it."""

import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.fixtures.core_commands import configured

NOBODY = 65_534
"""A user without rights; it need not have an account."""
SECRET = """
import ctypes, os, resource, sys
from controller.process.memory_dumps import forbid_memory_dumps
resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
if os.geteuid() == 0:
    os.setgroups([])
    os.setresuid(*[int(sys.argv[2])] * 3)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # a new user is not dumpable, a new program is
if sys.argv[1] == "forbidden":
    forbid_memory_dumps()
print(resource.getrlimit(resource.RLIMIT_CORE)[0], flush=True)
sys.stdin.read()
"""
READER = """
import os, sys
from pathlib import Path
if os.geteuid() == 0:
    os.setgroups([])
    os.setresuid(*[int(sys.argv[2])] * 3)
for name in ("environ", "mem", "maps", "fd", "auxv", "cwd"):
    path = Path("/proc", sys.argv[1], name)
    try:
        os.listdir(path) if name == "fd" else os.readlink(path) if name == "cwd" else path.open("rb").close()
    except PermissionError:
        continue
    print(name)
"""


SERVICE = """
import ctypes, sys
from pathlib import Path
from controller.config import read
from controller.daemon.service import run
try:
    run(read(Path(sys.argv[1])))
except Exception as error:
    print(type(error).__name__, ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))
"""
"""It prints the error with which the daemon ends, and whether its memory may be dumped."""


@contextmanager
def holder(word: str) -> Iterator[tuple[int, int]]:
    """A process with a secret: its number, and its limit of core dumps."""
    command = [sys.executable, "-c", SECRET, word, str(NOBODY)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        select.select([process.stdout], [], [], 30)
        yield process.pid, int(process.stdout.readline())
        process.communicate("")


def read_of(pid: int) -> list[str]:
    command = [sys.executable, "-c", READER, str(pid), str(NOBODY)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_no_process_of_the_same_user_reads_the_memory_of_one_that_forbids_it() -> None:
    with holder("forbidden") as (pid, limit):
        assert (read_of(pid), limit) == ([], 0)
    with holder("open") as (pid, _):
        assert "environ" in read_of(pid)  # so this test would notice


def test_the_daemon_forbids_it_before_it_reads_a_key(tmp_path: Path) -> None:
    """Its configuration names a manifest that does not exist."""
    config = configured(tmp_path)
    config.write_text(f'{config.read_text()}[selftest]\nmanifest = "{tmp_path}/nowhere"\n')
    command = [sys.executable, "-c", SERVICE, str(config)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "ManifestError 0"
