"""A device's memory: one contract for the one in a file and the one without."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from drivers.errors import Misuse
from drivers.link.limits import HIGHEST
from drivers.protocol.codes import Status
from drivers.sim.link.memory import RESERVE, RESULTS, Memory, MemoryFile, MissingEvents, StoredEvent
from tests.fixtures.waiting import PATIENCE

Boot = Callable[[], Memory]


@pytest.fixture(params=["volatile", "file"])
def boot(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Boot]:
    """Gives the memory as a device finds it after a boot."""
    volatile = Memory(capacity=100)
    with ExitStack() as opened:

        def found() -> Memory:
            if request.param == "volatile":
                return volatile
            opened.pop_all().close()
            return opened.enter_context(closing(MemoryFile(tmp_path / "memory", capacity=100)))

        yield found


def test_events_survive_a_boot_and_reading_leaves_them(boot: Boot) -> None:
    memory = boot()
    log = memory.log
    assert [memory.store(b"one", minor=False, critical=True), memory.store(b"two", minor=True)] == [1, 2]
    memory = boot()
    assert (memory.log, memory.newest, memory.oldest, memory.free) == (log, 2, 1, 98)
    for _ in range(2):
        assert [memory.read(1), memory.read(2)] == [StoredEvent(b"one", True), StoredEvent(b"two", False)]


def test_a_commit_frees_slots_never_goes_back_and_survives(boot: Boot) -> None:
    memory = boot()
    for _ in range(10):
        memory.store(b"x", minor=False)
    memory.commit(7)
    memory.commit(3)
    assert (memory.committed, memory.free) == (7, 97)
    memory = boot()
    assert (memory.committed, memory.free) == (7, 97)
    with pytest.raises(Misuse, match="11: the newest is 10"):
        memory.commit(11)


def test_an_uncommitted_event_is_never_overwritten(boot: Boot) -> None:
    memory = boot()
    for number in range(1, 121):
        memory.store(b"%d" % number, minor=False)
    assert (memory.newest, memory.free) == (120, 0)
    assert [memory.read(number) for number in (1, 100)] == [
        StoredEvent(b"1", False),
        StoredEvent(b"100", False),
    ]
    assert memory.read(101) == memory.read(101) == MissingEvents(101, 120)
    memory.commit(2)
    assert memory.store(b"121", minor=False) == 121
    memory = boot()
    assert (memory.read(1), memory.read(121)) == (MissingEvents(1, 1), StoredEvent(b"121", False))
    assert memory.read(105) == MissingEvents(105, 120)


def test_committed_events_are_kept_until_their_slot_is_needed(boot: Boot) -> None:
    memory = boot()
    for _ in range(100):
        memory.store(b"x", minor=False)
    memory.commit(100)
    assert (memory.oldest, memory.free) == (1, 100)
    memory.store(b"x", minor=False)
    assert memory.oldest == 2


def test_minor_events_in_the_reserve_use_a_number_and_are_dropped(boot: Boot) -> None:
    memory = boot()
    while not memory.full:
        memory.store(b"x", minor=True)
    assert memory.free == RESERVE
    first = memory.newest + 1
    assert [memory.store(b"minor", minor=True), memory.store(b"card", minor=False)] == [first, first + 1]
    assert [memory.read(first), memory.read(first + 1)] == [
        MissingEvents(first, first),
        StoredEvent(b"card", False),
    ]
    assert boot().newest == first + 1


def test_cards_are_counted_and_a_moving_one_is_noted(boot: Boot) -> None:
    memory = boot()
    memory.begin_card()
    with pytest.raises(Misuse, match="second card"):
        memory.begin_card()
    memory = boot()
    assert (memory.moving, memory.cards) == (1, 0)
    with memory.transaction():
        assert memory.end_card() == 1
        memory.store(b"one", minor=False)
    memory = boot()
    assert (memory.moving, memory.cards) == (0, 1)
    with pytest.raises(Misuse, match="card 2 ends"):
        memory.end_card()


def test_keys_only_grow_and_32_results_are_kept(boot: Boot) -> None:
    memory = boot()
    for key in range(1, 41):
        memory.begin_action(key)
        memory.end_action(key, Status.DONE, f"no {key}")
    memory = boot()
    assert (memory.last_key, memory.begun) == (40, 0)
    kept = [key for key in range(50) if memory.result(key)]
    assert kept == list(range(41 - RESULTS, 41))
    assert memory.result(40) == (Status.DONE, "no 40")
    with pytest.raises(Misuse, match="action 40 begins"):
        memory.begin_action(40)


def test_a_begun_action_is_still_begun_after_a_boot(boot: Boot) -> None:
    boot().begin_action(7)
    memory = boot()
    assert (memory.begun, memory.last_key, memory.result(7)) == (7, 7, None)


def test_a_format_begins_a_new_log(boot: Boot) -> None:
    memory = boot()
    log = memory.log
    memory.store(b"x", minor=False)
    memory.begin_action(3)
    memory.begin_card()
    memory.end_card()
    memory.format()
    memory = boot()
    assert memory.log == b""
    memory.begin_log(b"log two!")
    memory = boot()
    assert memory.log == b"log two!" != log
    assert (memory.newest, memory.last_key, memory.begun, memory.cards, memory.free) == (0, 0, 0, 0, 100)
    assert memory.store(b"x", minor=False) == 1


def interrupted(memory: Memory) -> None:
    with memory.transaction():
        memory.end_card()
        memory.store(b"card", minor=False)
        raise ZeroDivisionError


@pytest.mark.parametrize(
    "impossible", [{"last_key": HIGHEST + 1}, {"committed": 2}, {"newest": 2**62}, {"cards": 2}]
)
def test_a_memory_that_cannot_be_is_formatted(tmp_path: Path, impossible: dict[str, int]) -> None:
    with closing(MemoryFile(tmp_path / "memory")) as memory:
        memory.begin_log(b"log one!")
        memory.store(b"one", minor=False)
        for name, value in impossible.items():
            memory._set(name, value)
    with closing(MemoryFile(tmp_path / "memory")) as memory:
        assert memory.log == b""
        assert (memory.newest, memory.committed, memory.last_key, memory.cards) == (0, 0, 0, 0)


def test_a_transaction_is_stored_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "memory"
    with closing(MemoryFile(path)) as memory:
        memory.begin_card()
        with pytest.raises(ZeroDivisionError):
            interrupted(memory)
    with closing(MemoryFile(path)) as memory:
        assert (memory.moving, memory.cards, memory.newest) == (1, 0, 0)


def test_a_damaged_file_is_formatted(tmp_path: Path) -> None:
    path = tmp_path / "memory"
    path.write_bytes(b"not a database, but long enough to be taken for one" * 50)
    with closing(MemoryFile(path)) as memory:
        assert memory.store(b"x", minor=False) == 1
    with closing(MemoryFile(path)) as memory:
        assert memory.newest == 1


def test_a_file_with_a_damaged_page_is_formatted(tmp_path: Path) -> None:
    path = tmp_path / "memory"
    with closing(MemoryFile(path)) as memory:
        memory.begin_log(b"log one!")
        for _ in range(300):
            memory.store(bytes(100), minor=False)
    whole = bytearray(path.read_bytes())
    whole[-8192:-4096] = b"\xee" * 4096
    path.write_bytes(whole)
    with closing(MemoryFile(path)) as memory:
        assert (memory.newest, memory.log) == (0, b"")
        assert memory.store(b"x", minor=False) == 1


def test_a_killed_process_leaves_all_it_stored(tmp_path: Path) -> None:
    path = tmp_path / "memory"
    program = (
        "import os, signal, sys; from pathlib import Path\n"
        "from drivers.sim.link.memory import MemoryFile\n"
        "memory = MemoryFile(Path(sys.argv[1]))\n"
        "for _ in range(300): memory.store(b'x', minor=False)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=False, timeout=PATIENCE)
    with closing(MemoryFile(path)) as memory:
        assert memory.newest == 300
        assert memory.read(300) == StoredEvent(b"x", False)
