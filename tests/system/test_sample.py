"""The daemon plays whole rounds with the sample shoe and shuffler in C, as with the simulated ones."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from controller.demo.audit import Books
from controller.demo.scene import Scene
from tests.system.books import faults
from tests.system.mishaps import DEVICE_KILLS, PLAY, Mishap, kill_daemon, programme
from tests.system.performance import perform
from tests.system.sample import SAMPLES, SampleStage

ROUNDS: Final = 30
SCENE: Final = Scene(seed=5, decks=6, options={"burn_cards": "3"})
LIMIT: Final = 60.0


def acted(folder: Path, mishaps: Sequence[Mishap] = ()) -> Books:
    """The books of a table to which all of `mishaps` happened."""
    played = asyncio.run(perform(folder, SCENE, ROUNDS, mishaps, limit=LIMIT, build=SampleStage))
    assert played.befell == tuple(mishap.cue.phase for mishap in mishaps)
    assert played.disputes == ()
    return played.books


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Books:
    books = acted(tmp_path_factory.mktemp("sample"))
    assert list(faults(books)) == []
    assert len(books.cards) > SCENE.rules.options.decks * 52  # of a second pack, which the shuffler gave
    return books


def test_samples_and_daemon_are_killed(tmp_path: Path, reference: Books) -> None:
    harms = [*(DEVICE_KILLS[kind] for kind in SAMPLES), kill_daemon]
    books = acted(tmp_path, programme("samples", harms, PLAY * 2))
    assert list(faults(books, reference)) == []
