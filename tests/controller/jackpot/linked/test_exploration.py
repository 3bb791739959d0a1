"""A short form of `tableside floor drill progressive`, and what it must catch."""

from collections.abc import Callable

import pytest

from controller.floor.drills.interleavings.exploration import explore, explore_all
from controller.floor.drills.interleavings.invariants import Violation
from controller.floor.drills.interleavings.world import Faults
from controller.jackpot.linked import apply as apply_module
from controller.jackpot.linked import instance
from controller.jackpot.linked.entries import LogEntry, NotNext
from controller.jackpot.linked.level import LinkedLevel

SEEDS = range(240)
ENOUGH = range(150)
"""Seeds within which each mutant must be caught."""
HAPPENED = (
    "claims",
    "crashes",
    "inputs rewound",
    "log rewound",
    "publications refused",
    "answer lost",
    "late",
    "lost",
    "ReadJournal",
    "ReadLog",
    "Repeat",
    "runs that stopped",
    "void rounds",
)
ONE_AND_LOST_ENDS = Faults(instances=1, input_rewinds=False, log_rewinds=True)
TWO = Faults(instances=2, input_rewinds=False, log_rewinds=False)
TWO_AND_LOST_ENDS = Faults(instances=2, input_rewinds=False, log_rewinds=True)


def test_interleavings_leave_one_order_and_one_amount_for_each_claim() -> None:
    count = explore_all(SEEDS)
    assert count["runs"] == len(SEEDS)
    assert all(count[what] for what in HAPPENED), count


def without_before(state: LinkedLevel, entry: LogEntry) -> None:
    if entry.n != state.n + 1:
        raise NotNext(f"entry {entry.n} comes after {state.n}")


Mutation = Callable[[pytest.MonkeyPatch], None]


def drop_before(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(apply_module, "check_follows", without_before)


def journal_before_log(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(instance, "LEAD", ("append", "publish", "announce"))


def announce_before_journal(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(instance, "LEAD", ("publish", "announce", "append"))


@pytest.mark.parametrize(
    ("mutate", "faults"),
    [
        (drop_before, TWO_AND_LOST_ENDS),
        (journal_before_log, TWO),
        (announce_before_journal, ONE_AND_LOST_ENDS),
    ],
)
def test_mutants_break_a_promise(mutate: Mutation, faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    mutate(monkeypatch)
    assert caught(faults), f"no violation in {len(ENOUGH)} runs"


def test_a_log_without_a_fence_breaks_a_promise() -> None:
    assert caught(TWO, fenced=False)


def caught(faults: Faults, *, fenced: bool = True) -> bool:
    """Whether a run breaks a promise."""
    for seed in ENOUGH:
        try:
            explore(seed, faults, fenced=fenced)
        except Violation:
            return True
    return False
