"""The power of the C memory fails during every write: the write happened whole or not at all."""

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from drivers.link.limits import HIGHEST
from drivers.protocol.codes import Status
from drivers.sim.link.memory import Memory, StoredEvent

from .firmware import Program

SLOTS = 70
KEPT = ("newest", "committed", "last_key", "begun", "cards", "moving", "free")

Deed = tuple[str, tuple[int, ...]]
Contents = list[str]


def deeds() -> list[Deed]:
    """Enough of everything for the ring and the results to wrap twice."""
    done: list[Deed] = []
    for turn in range(1, 41):
        done += [("keeps", (2, turn % 3 == 0)), ("keeps", (1, 0)), ("begins-card", ()), ("ends-card", ())]
        done += [("begins-action", (turn,)), ("ends-action", (turn,))]
        done += [("commits", (4 * turn - turn % 7,))] if turn > 12 else []
    return done


def test_a_cut_in_any_write_leaves_all_or_nothing_of_a_deed(firmware: Program) -> None:
    wanted = [contents(memory) for memory in stages(deeds())]
    for writes in count(1):
        place = cut(firmware, deeds(), writes)
        if place is None:
            break
        firmware.ask("memory-wakes")
        assert firmware.ask("memory-tells") in (wanted[place], wanted[place + 1])
    assert writes > len(deeds())


def test_the_c_memory_equals_the_simulated_one_without_a_power_cut(firmware: Program) -> None:
    assert cut(firmware, deeds(), 0) is None
    *_, last = stages(deeds())
    assert firmware.ask("memory-tells") == contents(last)
    firmware.ask("memory-wakes")
    assert firmware.ask("memory-tells") == contents(last)


@pytest.mark.parametrize("key", [HIGHEST + 1, 2**64 - 1])
def test_a_memory_that_cannot_be_is_formatted(firmware: Program, key: int) -> None:
    assert cut(firmware, [("keeps", (2, 0)), ("begins-action", (key,))], 0) is None
    firmware.ask("memory-wakes")
    assert firmware.ask("memory-tells") == contents(Memory(SLOTS))


def cut(firmware: Program, done: list[Deed], writes: int) -> int | None:
    """The index of the step in which the power fails after this many writes; None: it does not fail."""
    firmware.ask("memory", SLOTS, writes)
    for place, (name, numbers) in enumerate(done):
        firmware.ask(f"memory-{name}", *map(int, numbers))
        if firmware.ask("memory-powered") == ["off"]:
            return place
    return None


def stages(done: list[Deed]) -> Iterator[Memory]:
    """The simulated device's memory before the first step, and after each."""
    memory = Memory(SLOTS)
    yield memory
    for name, numbers in done:
        DEEDS[name](memory, *numbers)
        yield memory


def contents(memory: Memory) -> Contents:
    """The memory in the words of the bench."""
    held = [number for number in range(1, memory.newest + 1) if isinstance(memory.read(number), StoredEvent)]
    results = [key for key in range(1, memory.last_key + 1) if memory.result(key)]
    values = [f"{name} {getattr(memory, name)}" for name in KEPT]
    return [*values, *(f"held {number}" for number in held), *(f"result {key}" for key in results)]


def keep(memory: Memory, number: int, minor: int) -> None:
    with memory.transaction():
        for _ in range(number):
            memory.store(b"", minor=bool(minor))


def end_card(memory: Memory) -> None:
    with memory.transaction():
        memory.end_card()
        memory.store(b"", minor=False)


DEEDS: dict[str, Callable[..., None]] = {
    "keeps": keep,
    "commits": Memory.commit,
    "begins-card": Memory.begin_card,
    "ends-card": end_card,
    "begins-action": Memory.begin_action,
    "ends-action": lambda memory, key: memory.end_action(key, Status.DONE, "over"),
}
