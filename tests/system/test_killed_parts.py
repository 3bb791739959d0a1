"""Parts of a table die in the middle of its rounds, and every round ends as if nothing had happened."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from controller.demo.audit import DemoAudit
from controller.demo.settings import DemoSettings
from tests.system.books import faults
from tests.system.gallery import PHASES
from tests.system.mishaps import DEVICE_KILLS, PLAY, Mishap, kill_daemon, programme, stop_daemon
from tests.system.performance import perform

ROUNDS: Final = 60
"""Enough for the shoe's cut card, and a second shoe."""
SCENE: Final = DemoSettings(seed=11, decks=6, options={"burn_cards": "3"})
KILLS: Final = 20


def acted(folder: Path, mishaps: Sequence[Mishap] = ()) -> DemoAudit:
    """The books of a table to which all of `mishaps` happened, and whose crew never repeated an act."""
    played = asyncio.run(perform(folder, SCENE, ROUNDS, mishaps))
    assert played.befell == tuple(mishap.cue.phase for mishap in mishaps)
    assert played.disputes == ()
    return played.books


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> DemoAudit:
    books = acted(tmp_path_factory.mktemp("reference"))
    assert list(faults(books)) == []
    return books


def test_daemon_is_killed_twenty_times(tmp_path: Path, reference: DemoAudit) -> None:
    phases = ["burning", "burning", "burning", *PLAY * 3, "loading", "burning"]
    assert (len(phases), set(phases)) == (KILLS, set(PHASES))
    books = acted(tmp_path, programme("daemon", [kill_daemon], phases))
    assert list(faults(books, reference)) == []


def test_daemon_is_asked_to_end_and_each_device_is_killed(tmp_path: Path, reference: DemoAudit) -> None:
    harms = [stop_daemon, *DEVICE_KILLS.values()]
    assert len(harms) % len(PLAY) != 0  # two passes meet other phases
    books = acted(tmp_path, programme("devices", harms, PLAY * 2))
    assert list(faults(books, reference)) == []
