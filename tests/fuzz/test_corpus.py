"""The kept corpus is replayed: no promise breaks, and each input still gives its recorded result."""

import pytest

from tests.fuzz.corpus import CORPUS, minimised, vectors
from tests.fuzz.targets import TARGETS

MOST_BYTES = 300_000


@pytest.mark.parametrize("name", TARGETS)
def test_each_kept_input_comes_to_what_it_came_to(name: str) -> None:
    found = {vector["in"]: TARGETS[name].run(bytes.fromhex(vector["in"])) for vector in vectors(name)}
    assert len(found) > 10
    assert found == {vector["in"]: vector["shows"] for vector in vectors(name)}


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_break_no_promise(name: str) -> None:
    assert all(TARGETS[name].run(seed) for seed in TARGETS[name].seeds)


def test_the_corpus_is_small() -> None:
    assert sum(path.stat().st_size for path in CORPUS.iterdir()) < MOST_BYTES


def test_what_adds_nothing_is_not_kept() -> None:
    seed = TARGETS["bee-tek"].seeds[0]
    assert minimised("bee-tek", [seed, seed + b"\0", seed]) == [seed]
