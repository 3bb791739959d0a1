"""A process of its own hashes and compares passwords and PINs; whatever happens to it, its caller goes on."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import HashingFailed
from controller.access.hashing.argon2id import HASHER, NOBODYS_HASH, hash_secret
from controller.access.hashing.messages import HashingReply
from controller.access.hashing.process import LOWEST_PRIORITY, HashingProcess
from tests.fixtures.access_desk import FROM, PASSWORD, PIN, Clock, hire_staff, records_of
from tests.fixtures.processes import children
from tests.fixtures.waiting import PATIENCE, come_true

PROJECT = Path(__file__).parents[3]
HANGING = "tests.controller.access.processes.hanging"
FAILING = "tests.controller.access.processes.failing"
NOBODY = 65534
ListProcesses = Callable[[], list[int]]
WITHOUT_PROCESSES = f"""
import asyncio, os, resource
from controller.access.hashing.process import HashingProcess
if os.getuid() == 0:
    os.setuid({NOBODY})  # the limit does not hold for root
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
asyncio.run(HashingProcess().hash("{PASSWORD}"))
"""
WITHOUT_DESCRIPTORS = f"""
import asyncio, resource
from controller.access.hashing.process import HashingProcess
async def ask():
    resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))
    await HashingProcess().hash("{PASSWORD}")
asyncio.run(ask())
"""


@pytest.fixture(autouse=True)
def _tests_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))


@pytest.fixture
def new_processes() -> ListProcesses:
    """Lists the processes that the test has started."""
    before = children()
    return lambda: [*(children() - before)]


async def test_a_secret_is_compared_with_its_hash() -> None:
    hashing = HashingProcess(PATIENCE)
    stored = await hashing.hash(PASSWORD)
    assert await hashing.compare(stored, PASSWORD) == HashingReply(right=True)
    assert await hashing.compare(stored, PIN) == HashingReply(right=False)
    assert await hashing.compare(None, PASSWORD) == HashingReply(right=False)


def test_an_unknown_name_takes_as_long_as_a_known_one() -> None:
    assert not HASHER.check_needs_rehash(NOBODYS_HASH)
    assert len(NOBODYS_HASH) == len(hash_secret(PASSWORD))


def test_the_table_does_not_load_argon2() -> None:
    program = "import sys, controller.access.desk; print(*(m for m in sys.modules if 'argon2' in m))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


async def test_the_process_has_the_lowest_priority_and_shows_nobody_the_secret(
    new_processes: ListProcesses,
) -> None:
    asking = asyncio.create_task(HashingProcess(PATIENCE, HANGING).hash(PASSWORD))
    await come_true(lambda: new_processes() != [])
    (child,) = new_processes()
    await come_true(lambda: HANGING.encode() in _shown(child, "cmdline"))
    assert os.getpriority(os.PRIO_PROCESS, child) == LOWEST_PRIORITY
    assert PASSWORD.encode() not in _shown(child, "cmdline") + _shown(child, "environ")
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert new_processes() == []


async def test_a_process_that_hangs_is_killed_and_the_next_one_answers(new_processes: ListProcesses) -> None:
    hashing = HashingProcess(0.2, HANGING)
    with pytest.raises(HashingFailed, match=r"passwords and PINs cannot be checked: no reply within 0\.2 s"):
        await hashing.compare(None, PASSWORD)
    assert new_processes() == []


async def test_a_process_that_is_killed_is_named_with_its_signal(new_processes: ListProcesses) -> None:
    asking = asyncio.create_task(HashingProcess(PATIENCE, HANGING).hash(PASSWORD))
    await come_true(lambda: new_processes() != [])
    os.kill(new_processes()[0], signal.SIGTERM)
    with pytest.raises(HashingFailed, match="the process that does it was ended by SIGTERM"):
        await asking
    assert new_processes() == []


async def test_a_process_that_fails_is_named_with_its_status() -> None:
    with pytest.raises(HashingFailed, match="the process that does it ended with status 3"):
        await HashingProcess(PATIENCE, FAILING).hash(PASSWORD)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (WITHOUT_PROCESSES, "Resource temporarily unavailable"),
        (WITHOUT_DESCRIPTORS, "Too many open files"),
    ],
)
def test_a_machine_without_room_for_a_process_is_named(program: str, why: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "HashingFailed: passwords and PINs cannot be checked: [Errno" in done.stderr
    assert why in done.stderr


async def test_questions_at_once_start_one_process_at_a_time(new_processes: ListProcesses) -> None:
    hashing, most = HashingProcess(PATIENCE), 0
    asking = asyncio.gather(*(hashing.hash(PASSWORD) for _ in range(4)))
    while not asking.done():
        most = max(most, len(new_processes()))
        await asyncio.sleep(0.001)
    assert most == 1
    assert len(set(asking.result())) == 4


async def test_no_module_is_taken_from_the_folder_of_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "controller").mkdir()
    (tmp_path / "controller/__init__.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH")
    assert await HashingProcess(PATIENCE).hash(PASSWORD)


async def test_an_attempt_that_nobody_could_check_counts_for_nothing(tmp_path: Path, clock: Clock) -> None:
    failing = HashingProcess(PATIENCE, FAILING)
    with AccessDesk(tmp_path / "access.db", clock, clock, hashing=failing) as desk:
        hire_staff(desk)
        for _ in range(10):
            with pytest.raises(HashingFailed):
                await desk.sign_in("password", "Ann", "wrong", FROM)
        assert records_of(desk) == [("refused", "Ann")]
    with AccessDesk(tmp_path / "access.db", clock, clock) as desk:
        await desk.sign_in("password", "Ann", PASSWORD, FROM)


def _shown(process: int, what: str) -> bytes:
    """What everybody on the computer sees of the process."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{process}/{what}").read_bytes()
    return b""
