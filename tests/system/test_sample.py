"""The daemon plays whole rounds with the sample shoe and shuffler in C, as with the simulated ones."""

import asyncio
from pathlib import Path
from typing import Final

from controller.demo.settings import DemoSettings
from tests.system.books import faults
from tests.system.mishaps import DEVICE_KILLS, PLAY, kill_daemon, programme
from tests.system.performance import perform
from tests.system.sample import SampleStage

ROUNDS: Final = 54
"""Enough for the shoe's cut card, and a pack from the shuffler."""
SCENE: Final = DemoSettings(seed=5, decks=6, options={"burn_cards": "3"})


def test_samples_and_daemon_are_killed_and_no_round_is_lost(tmp_path: Path) -> None:
    harms = [DEVICE_KILLS["shuffler"], kill_daemon, DEVICE_KILLS["shoe"]]
    mishaps = programme("samples", harms, [*PLAY * 2, "loading"])
    played = asyncio.run(perform(tmp_path, SCENE, ROUNDS, mishaps, build=SampleStage))
    assert played.befell == tuple(mishap.cue.phase for mishap in mishaps)
    assert played.disputes == ()
    assert list(faults(played.books)) == []
    assert len(played.books.cards) > (SCENE.rules.options.decks - 1) * 52  # some are of the second pack
