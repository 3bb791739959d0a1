"""A target that keeps something of each run is found, and one that does not is not."""

import gc
from collections.abc import Iterator

import pytest

from tests.fuzz.watched import LOOK, MOST_GROWN, WARM, LeakError, Watched

RUNS = WARM + MOST_GROWN + 2 * LOOK


@pytest.fixture(autouse=True)
def only_what_is_new() -> Iterator[None]:
    """Leaves out what earlier tests left in memory at each look."""
    gc.freeze()
    yield
    gc.unfreeze()


def run(watched: Watched) -> None:
    for _ in range(RUNS):
        watched(b"")


def test_what_is_kept_of_each_run_is_a_leak() -> None:
    kept: list[object] = []
    watched = Watched(lambda _: kept.append(object()))
    with pytest.raises(LeakError, match="blocks of memory more after"):
        run(watched)


def test_what_is_kept_up_to_a_bound_is_none() -> None:
    kept: dict[int, object] = {}
    run(Watched(lambda _: kept.update({len(kept) % 100: object()})))
